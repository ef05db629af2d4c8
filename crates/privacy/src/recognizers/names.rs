//! Lists of given names and surnames, for the rules that find people without a model. They are common names
//! of many countries, none of them taken from a data set; a name that is also an everyday word is marked by
//! its absence and left to the words around it.

use std::collections::HashSet;
use std::sync::LazyLock;

const GIVEN: &str = "\
aaron abdul abdullah abigail adam adele adrian agnes ahmad ahmed aidan aiko aisha akira alan albert alejandro alessandro alex \
alexander alexandra alexis alfred ali alice alicia alina alison allison alvaro alyssa amanda amara amelia amina amir amit amy \
ana anastasia anders andre andrea andreas andrei andrew angela angelica angelina anika anil anita anna anne annette annie \
antoine anton antonio anya arjun arnold arthur arturo asha ashley astrid audrey aurora ava ayesha barbara beatrice beatriz \
benedict benjamin bernard bernadette beth bethany betty beverly bianca björn bjorn bogdan boris bradley brandon brenda brendan \
brian bridget bruno bryan caitlin caleb callum cameron camila camille carl carla carlos carmen carol carolina caroline \
carolyn catherine cecilia cedric celine cesar charles charlie chen chiara chloe chloé christian christina christine christoph \
christopher cillian cindy claire clara claudia colin connor conor cristina cristian cynthia dana daniel daniela danielle \
danny daphne darius darren dave david deborah debra deepak denis denise dennis derek devin diana diane diego dimitri dina \
dmitri dolores dominic dominik donald donna dora doris dorothy douglas duncan dylan edgar edith edmund eduardo edward edwin \
eileen elaine eleanor elena eli elias elif elijah elise elizabeth ella ellen élodie elodie elsa emil emilia emilie emily emma \
emmanuel enrique eric erica erik erika erin ernest esther ethan eugene eva evelyn fabio fatima fatma felipe felix fernanda \
fernando fiona franco frances francesca francesco francis francisco françois frederic frederick frederik fredrik freya friedrich \
gabriel gabriela gabrielle gareth gary gavin geoffrey george gerald gerard gilbert gina giorgio giovanni giulia giuseppe \
gloria gordon graham greg gregory greta guido guillermo gustav gustavo guy gwen hamza hana hannah hans harold harriet haruto \
hassan heather hector heidi heinrich helen helena helga henri henrik henry herbert hilary hiroshi howard hugo hussain hussein \
ian ibrahim ida ignacio igor ingrid irene irina iris isaac isabel isabella ismail ivan jack jackson jacob jacqueline \
jacques jaime jakob jakub james jamie jan jana jane janet janice jared jasmine jason javier jean jeffrey jenna jennifer jenny \
jeremy jerome jesse jessica jesus jia jian jill jimmy jin joan joanna joanne joao joaquin joel johan johanna johannes john \
johnny jonas jonathan jorge jose josé josef joseph josephine joshua joyce juan judith judy jules julian juliana julie \
juliet julio jun jürgen jurgen justin kaiden kamal karen karim karin karina karl kate katherine kathleen kathryn kathy katie \
katrina kayla keiko keith kelly ken kenji kenneth kevin khalid kim kimberly kiran klaus kofi konstantin kristen kristian \
kristin kristina kumar kyle lars laura lauren laurence lauren layla leah lea leila lena leo leon leonard leonardo leroy leslie \
leticia liam lidia linda lindsay lisa liu liz lorenzo lori lorraine louis louise luca lucas lucia luciana lucie lucy luigi \
luis luisa lukas luke luna lydia lynn madison magdalena malcolm malik manuel marc marcel marcelo marcia marco marcos marcus margaret \
margarita maria mariam marian mariana marianne marie marilyn marina mario marion marisa marjorie markus marta martha martin \
martina marvin mary masha mateo mathias mathieu matteo matthew matthias maureen maurice mauricio max maximilian maya megan mehmet mei \
melanie melissa mercedes mia michael michaela michal michel michele michelle miguel mikhail mila mildred milan miles mina ming \
miranda miriam mitchell mohamed mohammad mohammed moira molly mona monica monika morgan mustafa nadia nadine naomi \
natalia natalie natasha nathan nathaniel neha neil nelson nguyen nicholas nick nicola nicolas nicole nigel nikhil nikolai nils nina \
noah noel nora norma norman olga oliver olivia olivier omar oscar oskar otto owen pablo pamela paola paolo patricia patrick \
paul paula paulina pauline pavel pedro peter petra philip philippe phillip phoebe phyllis pierre pietro piotr priya \
rachel rafael rahul raj rajesh ralph ramon randall randy raphael raquel raul ravi raymond rebecca regina reginald renata rene \
renee ricardo riccardo richard rita roberta robert roberto rodrigo roger roland roman ronald rosa rosalie rosemary ross \
roxanne roy ruben rudolf rupert russell ruth ryan sabine sabrina sakura salma salvador sam samantha samir samuel sandra \
sanjay santiago sara sarah sasha scott sean sebastian selena serena serge sergei sergey sergio shane shannon sharon shaun \
shawn sheila shirley siobhan sipho silvia simon simone sofia sofie sonia sophia sophie stacy stanley stefan stefanie stella \
stephanie stephen steve steven stuart sunil suresh susan suzanne sven svetlana sylvia tamara tanya tara tatiana ted teresa terence \
terry thabo thanh theo theodore theresa thomas tiffany tim timothy tina tobias todd tomas tomasz tony tracy travis trevor \
tyler ulrich umar ursula valentina valeria valerie vanessa vera veronica veronika vicente victor vikram vincent \
violeta virginia vivian vladimir walter wanda wayne wei wendy werner wesley wilfred wilhelm william willem winston wolfgang xavier \
xiao yasmin yasmine yolanda yuki yuri yusuf yves yvette yvonne zachary zainab zara zoe zoë zoltan zuzana";

const FAMILY: &str = "\
adams ahmed al-farsi allen alvarez andersen anderson andersson armstrong arnold bailey baker barnes bauer becker \
begum bennett berg bianchi brooks brown bryant burke butler campbell carlson carroll carter castillo castro chan chang \
chavez chen cheng chowdhury christensen clark clarke cohen coleman collins cooper costa cox cruz davies davis delgado dias diaz \
dixon dlamini doyle dubois duncan dupont edwards ellis eriksson esposito evans fernandes fernandez ferrari ferreira fischer \
fisher fitzgerald fleming flores fontaine foster fournier fraser freeman garcia gardner gibson gomez gonzales gonzalez gordon \
graham gray greene griffin gupta gustafsson gutierrez hall hamilton hansen hansson harris harrison hartmann harvey hassan \
henderson henry hernandez hoffman hoffmann holmes horvat howard huang hughes hussain hussein ibrahim ivanov ivanova jackson jacobs jansen \
jenkins jensen jimenez johansson johnson jones jordan joshi kaur kelly kennedy khan kim king klein kovacs kowalski \
kowalczyk kumar larsen larsson lee leroy lewis liang lin lindberg liu long lopez macdonald mackenzie mahmoud marino marshall martin martinez \
mason mccarthy mcdonald mehta mendez mendoza meyer mitchell mohamed molina moore morales moreau moreno morgan morris morrison \
muller müller murphy murray myers nakamura nelson newman nguyen nielsen nilsson novak o'brien o'connor o'neill okafor olsen olsson \
ortega ortiz owens palmer park parker patel pedersen pereira perez perry persson petersen peterson petrov petrova pham phillips popescu \
powell price quinn ramirez ramos reddy reed reid reyes reynolds ricci richards richardson richter rivera roberts robertson robinson \
rodrigues rodriguez rogers romano rosen rossi roy russo ryan sanchez sanders santos sato schmidt schneider schulz schwarz \
sharma shaw silva simmons simpson singh smith smirnov snyder sokolov sousa spencer stevens stevenson stewart sullivan suzuki svensson \
takahashi tan tanaka taylor thompson thomson torres tran tremblay turner vargas vasquez vega volkov wagner walker wallace walsh \
wang watanabe watson weber webb wells west white wilkinson williams williamson wilson wong wood wright wu xu yamamoto yang yilmaz \
young zhang zhao zhou zimmermann";

/// Given names that are also words, places or brands: they count only where something else speaks for them.
const WORDS_TOO: &str = "\
will may mark bill grant jordan georgia chad paris austin sydney victoria charlotte florence julia ruby ada pascal alexa siri claude \
gemini robin jay rose lily daisy amber katrina art faith hope joy frank earnest drew chase pat sue josh carter dallas denver lincoln \
jenkins jira john luke matthew august april june summer autumn ivy jasmine olive pearl sandy dean duke earl prince king page rich \
rob rusty sage skip stone violet wade ward angel crystal dawn eve gene ginger glen grace guy jack jean ray miles max roman carol \
christian virginia chelsea madison savannah phoenix israel diego iris luna aurora milan kim chen tan long park hall wood young west \
king price gray white brown green black nelson morgan wells ford tesla jackson houston washington franklin hamilton";

fn set(list: &'static str) -> HashSet<&'static str> {
    list.split_ascii_whitespace().collect()
}

fn contains(set: &HashSet<&'static str>, name: &str) -> bool {
    set.contains(name.to_lowercase().as_str())
}

pub(crate) fn is_given(name: &str) -> bool {
    static SET: LazyLock<HashSet<&'static str>> = LazyLock::new(|| set(GIVEN));
    contains(&SET, name)
}

pub(super) fn is_family(name: &str) -> bool {
    static SET: LazyLock<HashSet<&'static str>> = LazyLock::new(|| set(FAMILY));
    contains(&SET, name)
}

pub(crate) fn is_word_too(name: &str) -> bool {
    static SET: LazyLock<HashSet<&'static str>> = LazyLock::new(|| set(WORDS_TOO));
    contains(&SET, name)
}

/// Words that are written with a capital and follow a title or begin a sentence, and are no name.
pub(crate) fn is_common_word(word: &str) -> bool {
    const LIST: &str = "\
the a an and or but if then this that these those there here what who when where why how is are was were be been it its i you he \
she we they my your his her our their me him us them do does did not no yes please thanks thank hello hi dear sir madam all some any \
every each new old good great best first last next other more most one two three four five six seven eight nine ten monday tuesday \
wednesday thursday friday saturday sunday january february march april june july august september october november december \
mr mrs ms miss dr prof inc ltd llc corp company co group team office department street road avenue lane drive court suite apt north south \
east west university college school hospital bank hotel street center centre institute house city county state \
in on at by for from with to of as about into over after before under between through during without within \
can could would should may might must shall will have has had get got go going come see let make take give send call email phone \
fax mobile tel address name date number id card account order invoice ticket customer client patient user admin manager director \
president minister king queen prince princess doctor nurse teacher student employee staff member tenant landlord director engineer accountant \
english french german spanish chinese japanese american british european asian african regards sincerely cheers love yours best \
note notes subject re fwd cc bcc attn personal info information website web site page section chapter table figure part title also \
windows linux android google apple microsoft amazon facebook twitter github java python rust api http https url sql json xml html css \
unlike like because since while although however therefore meanwhile never always often just only even still already again \
god lord saint st nd rd th am pm ok tv uk us usa eu un it ceo cfo cto vp hr pr qa";
    static SET: LazyLock<HashSet<&'static str>> = LazyLock::new(|| set(LIST));
    contains(&SET, word)
}
