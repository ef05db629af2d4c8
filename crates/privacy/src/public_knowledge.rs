//! People of history and addresses that stand for an office: known to everybody, so that hiding them protects
//! nobody and spoils the question. They are found like others; the balanced policy keeps them. Nobody living is here.

use nearside_types::EntityType;

use crate::own_list::folded;

/// Separated by bars, folded.
const PEOPLE: &str = "|aristotle|plato|socrates|homer|julius caesar|cleopatra|alexander the great|charlemagne|dante|dante alighieri|leonardo da vinci|michelangelo|\
galileo|galileo galilei|copernicus|nicolaus copernicus|johannes kepler|isaac newton|gottfried leibniz|rené descartes|blaise pascal|leonhard euler|\
carl friedrich gauss|voltaire|jean-jacques rousseau|immanuel kant|karl marx|friedrich engels|charles darwin|gregor mendel|louis pasteur|marie curie|\
ada lovelace|charles babbage|george boole|alan turing|albert einstein|nikola tesla|thomas edison|max planck|niels bohr|erwin schrödinger|werner heisenberg|\
sigmund freud|william shakespeare|shakespeare|john milton|jane austen|charles dickens|mark twain|oscar wilde|leo tolstoy|fyodor dostoevsky|anton chekhov|\
victor hugo|honoré de balzac|gustave flaubert|marcel proust|franz kafka|johann wolfgang von goethe|goethe|miguel de cervantes|edgar allan poe|herman melville|\
wolfgang amadeus mozart|mozart|ludwig van beethoven|beethoven|johann sebastian bach|frédéric chopin|vincent van gogh|claude monet|rembrandt|\
abraham lincoln|george washington|thomas jefferson|benjamin franklin|napoleon|napoleon bonaparte|queen victoria|winston churchill|mahatma gandhi|joan of arc|\
christopher columbus|marco polo|vasco da gama|ferdinand magellan|florence nightingale|\
孔子|孟子|老子|庄子|墨子|荀子|韩非子|孙子|孙武|屈原|司马迁|秦始皇|刘邦|项羽|汉武帝|曹操|刘备|孙权|诸葛亮|关羽|张飞|赵云|周瑜|司马懿|王羲之|陶渊明|李世民|武则天|李白|李杜|杜甫|白居易|\
王维|孟浩然|李商隐|杜牧|韩愈|柳宗元|刘禹锡|欧阳修|苏轼|苏东坡|李清照|辛弃疾|陆游|王安石|司马光|范仲淹|岳飞|文天祥|成吉思汗|忽必烈|朱元璋|郑和|戚继光|\
李时珍|曹雪芹|罗贯中|施耐庵|吴承恩|蒲松龄|康熙|乾隆|雍正|林则徐|曾国藩|李鸿章|康有为|梁启超|谭嗣同|孙中山|鲁迅|胡适|蔡元培|徐志摩|朱自清|闻一多|齐白石|张衡|祖冲之|蔡伦|毕昇|沈括|徐霞客|玄奘|鉴真|\
牛顿|爱因斯坦|莎士比亚|达尔文|贝多芬|莫扎特|达芬奇|拿破仑|林肯|华盛顿|马克思|恩格斯|托尔斯泰|雨果|居里夫人|爱迪生|哥伦布|";

const PLACES: &str = "|10 downing street|11 downing street|1600 pennsylvania avenue|1600 pennsylvania avenue nw|221b baker street|1 infinite loop|1 apple park way|\
742 evergreen terrace|4 privet drive|1 wall street|11 wall street|350 fifth avenue|";

/// Whether everybody knows this value.
pub(crate) fn is_public(kind: EntityType, value: &str) -> bool {
    let known = match kind {
        EntityType::Person => PEOPLE,
        EntityType::Address => PLACES,
        _ => return false,
    };
    known.contains(&format!("|{}|", folded(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_knows() {
        assert!(
            is_public(EntityType::Person, "Ada  Lovelace") && is_public(EntityType::Person, "李白")
        );
        assert!(is_public(EntityType::Address, "10 Downing Street"));
        assert!(
            !is_public(EntityType::Person, "Ada")
                && !is_public(EntityType::Person, "李")
                && !is_public(EntityType::Phone, "李白")
        );
    }
}
