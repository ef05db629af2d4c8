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
xiao yasmin yasmine yolanda yuki yuri yusuf yves yvette yvonne zachary zainab zara zoe zoë zoltan zuzana \
aaliyah aarav abby abdulla abebe abigail achim adaeze adela adelaide aditi aditya adriana adriano afonso agata agnieszka aino akash akua alain alana alba aldo aleksander aleksandra aleksei alena alessia alexandre alexandros alexei alfonso alfredo alisha aloysius alphonse amadou amber amelie ami amina amparo anaïs anais ananya anatoly andrej andres andrés andrzej ane aneta angelo angus anja anke annika ansel antonella antonia antonina antti anton aoife apostolos aras archie ariana ariel arne arnaud arron arturs arun arvid ashok asta astri asya athena august augusto aurelia aurelie axel aylin ayo ayumi babette balazs balázs baptiste barbora bartosz bashir basil beata benedetta benoit benoît bente berit bernardo bernhard berta bertil bertram bettina bilal birgit birgitta birthe bjarne blanca blanka bobby boban bogna boguslaw bram branislav branko brendon brett bronisław bruce burak camilla carina carmela carole carsten casper catalina celia celina cemal chandra charlene charlie chidi chidinma chinedu chukwu chloë chris christa christelle christophe ciara ciaran claas claudine claudio clemens clément clement clifford conrad constance corinna cornelia cosmin costas craig csaba csenger csilla cyril dag dagmar dagny dalia damian damien damir danica danijel danuta dariusz davide deborah deepa deepika delphine demetrio deniz dermot derrick desmond detlef dieter dilip dimitar dimitris dirk dobrosław dorota dorothea dragan drago dusan dušan ebba eberhard edda edmond edna eduard eemil eero egil eila einar eino eirik ekaterina elaine elin elina eliška eliska elke elliot ellis elmar elsie elvira elżbieta emeka emese emi emiliano emine emre enzo erica erich erkki erling ernst ernesto erwin espen estelle esteban etienne étienne eugenia eugenio eustachy evan evangelos evelina ewa fabian fabienne fabrice fadi faisal faith farah farid fatemeh fatou federica federico ferdinand ferenc fergus filip filippo finn fleur florian florin folke françoise francine franz franziska freddy freddie freja frida frieda fritz fumiko gaël gaetano galina ganesh gaspard gaston gavril genevieve geneviève georgi georgios georges gerardo gerd gerda gerhard germaine gerrit gertrude gheorghe giacomo gianluca gillian gisela giuliana giuliano gizem goran göran gottfried grace grażyna greta grete gretchen grzegorz gudrun guðrún guillaume gunilla gunnar günter günther gustaf gwendolyn györgy habib hadiya hafþór haim hakan halina halldór hanne hannes hans harald hari harry haruki hartmut harvey hasan heiko heinz heikki helene helge helmut henrique henryk herman hermann hidayat hideo hilda hilde hiroki hiroko hiroto holger horacio horst howard hubert huda hussein ibrahima ieva ignatius igor ilja ilona ilse imran ines inés inga inger ingeborg ingo ingvar ioana ioannis iosif irena irma isabelle isak isla ismael istván itziar iva ivana ivo iwona jaakko jaana jack jacek jadwiga jairo jamal jamila jana jaroslav jarosław javed jelena jens jerzy jesper jessie jitka joachim joanna jocelyn jochen joep joerg jörg johann jolanta jón jonna joris jorun josefa josefina josefine josip joy jozef jože juana juho jukka julieta juliusz julián júlia juma jurgen juri jutta kaarina kaisa kaito kajsa kalle kamala kamil kamila karel karla karolina kasper katalin katarina kateřina katharina katja katrin katrine katsumi kavita kazimierz kazuki kazuo keira kelvin kenta kerstin khadija kian kimberley kinga kjell kjersti klara klaudia koji konrad kostas kourtney krisztina krystyna krzysztof kristjan kurt kwame kyoko ladislav laila lalit lamine lára lasse laszlo lászló latoya laurence lauri laurent lavinia lázaro leandro leif leila leonie leopold lene lenka lenny lennart lewis libor lidija lilian liliana lilly lina linnea linus ljiljana ljubica lilla loic loïc lola lone lorena loretta lotte louisa lubomir lucian luciano lucja ludmila ludovic ludwig luís luiz lukáš lumír lydie maarten maciej madalena madeleine madhu mads magda magnus maher mahmoud maja makoto malgorzata małgorzata malin malte mandy manfred manon manuela marek maren margarete margot margrethe mari mariano mariela marija marijan mariusz marja markéta marko markku marlene marlon marta martijn marwan marzena masaki masako masato mateja mateusz matej matilda matilde matti mats mauro maxime maximiliano mayumi mbali mehdi meera meike melinda melina menno mercy merete merja meryem michał michaël michèle michiko mikael mikkel mikko miklós milena milica miloš milos mina minh mio mirela miriam mirjam miro miroslav mirosław mirza misaki mitsuko mladen moe mohan monique morten moses mounir muhammad murat mykola nadeem nadezhda nadja nam naoko naomi narendra nasreen natacha natascha natasja nathalie neena nela nenad ngozi nicki nico nicolai nicolaj nicolás nieves niko nikita nikola nikolaj nikolaos nils nilufar nina nino nkechi nobuko nora norbert norihiro nuno octavia octavio oddvar odile olaf ole oleg oleksandr olena olivér olof oluwaseun omid ondřej ondrej onni oona oriol orla orlando ørjan osman otávio otto ottó ousmane øystein paal paavo pål panagiotis paolina pascale patrice patrik patrycja paulette paulina paulo paweł pekka peder pelle per perla pernille petr petri petra petros petter philipp pia pilar pirjo preben predrag priscilla przemysław puck quentin quincy radek radka radoslav radu rafaela rafał raghav rahel raimund rainer raisa raju ralf ramiro rania rasmus raúl razvan reem regine reiko reiner reinhard reinhold renate renzo reza riikka riina rikard riku rina roald rocío rocio rodney roel rogelio roger rohan rolf romain romana romina ronnie roos rosario rosalind rosanna rościsław roshan roslyn rossana rowena roxana rozalia rudi rune ruslan rustam ryo sabina sachiko saeed saida sakari salim salvatore sami samira samuli sander sandrine sanna sanne santos saori sara-lynn sasha satoshi satu saul saverio sayuri sebastián seiji seppo serhiy severin shanthi shauna shigeru shinji shiro shreya shweta sigrid sigrún sigurd silke silvana silvio simona simonetta sindre siri siri-anne sławomir slavko snežana sofía sohail solange soledad solomon solveig sonja sophia-marie soren søren stacey stanisław stavros stefania stefano steffen stelian stig stine stjepan sunita susana susanna susanne svein sven-erik svetlana swapna sylvain sylvester sylvie szymon tadeusz tadashi takeshi takashi takumi tamás tamara tania tânia tanja tarek tariq tarja tarmo tatyana tatsuya taylor tea teemu tetsuya thabang thea theodor theodora therese thérèse thibault thierry thijs thomasina thor thorsten thu tiago tibor tihomir tilde tilly tim tino tiina tiit toby tom tomislav tomohiro tomoko tomomi tone toni tony torben tore torsten torvald toshiko tove trine trish trygve tsegaye tuomas tünde tuula tuva tyrone ugo ulf ulla ulrik ulrike urban urs urszula uwe vaclav václav valentin valentine valentino valerio valéria valter vasile vasiliki vasily vassilis veikko vencel venla vera veronica veronique véronique vesna vibeke victoria vidar vidica vigdís viggo vijay viktor viktoria viktorija vilho ville vilma vilmos vincenzo vinod viola violette virgil virginie virpi vittoria vittorio vivien viviana vlad vladimír vladislav vlasta vojtěch volker waldemar waleed walther wanjiru wiesław wietse wilbert wilfried wilma winfried wilhelmina władysława wojciech wouter xander xavi ximena yaakov yann yannick yara yasmina yasuko yelena yigit yoko yoshiko youssef yuito yulia yusra yuto yvon zacharias zahra zane zbigniew zdeněk zdenek zeinab zelda zeljko željko zenon zita zlatko zofia zora zoran zsófia zsolt zuzanna";

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
young zhang zhao zhou zimmermann \
aalto abbott abe abrahams acosta adeyemi aguilar aguirre ahmad aitken akhtar albert ali alvarado alves amorim andrade andou andrews anand aoki araujo araya armitage arroyo asante ashby atkins atkinson austin avila ayala aziz bach baggio bak balogh banda banks barber barbosa barker barlow barron barry bartlett barton basu bates batista bauer beck beckett bell belmonte benítez benitez benson bentley berry bhatt bíró birch bird bishop black blackwell blair blake blanc blanco bloggs böhm bond bonnet borges bosch bouwmeester bowen bowman boyd boyle bradshaw brady brandt braun bravo brennan briggs brightman brock brun bruno buchanan buckley bui burgess burnett burns busch byrne cabrera cáceres calderón calderon caldwell callahan cameron campos cannon capon cardoso carey carlsen carpenter carr carvalho castelli cervantes chambers chandler chapman charles chatterjee chaudhary christiansen church clausen clayton clayton cobb cole collier conti contreras conway cooke cordero correia cortez coudert coulter craig crawford cross cruz cunningham curtis da-silva dalton daniel daniels das davidson dawson day de-jong dean deleon desai dijkstra dimitrov doherty dominguez domingues donnelly donovan dougherty douglas doyle drake dube dudek duarte duffy dunn duran durand dvořák dvorak eaton eide eklund elliott engel espinoza estrada everett faber falk farah farrell faulkner faure feng ferguson fernando fields figueroa finch finley fitzpatrick flynn fodor fonseca ford forster fox franco francis franklin frank frazier french freud friedman frost fuentes fuller gagnon gallagher galvan gamble gao garner garrett garza gates gauthier geiger george gerber ghosh gibbs gilbert giles gill gilmore giordano girard glass glover godfrey goh goldberg gomes gonçalves goodman goodwin goto goyal graf grant graves green greer gregory griffith griffiths gross gruber guerra guerrero guillen gunn guthrie guzman haas haddad hahn hale halvorsen hamid hammond hansson hardy harding harmon harper harrington hart hartley haruna hassan hawkins hayashi hayes haynes heath hecht hein heller helm hennessy henry hensley herman herrera herzog hewitt hicks higgins hill hinton hirai hirsch ho hobbs hodge hodges hoffmann hogan holinka holland holloway holm holt honda hopkins hopper horn horne horton horváth houston howe howell hubbard huber hudson huff humphrey hunt hunter hurley hussein hutchinson ibarra ingram inoue irwin ishii ito ivanov iyer jacob jacobsen jacobson jain james jansson janssen jarvis jeffries jimenez joensen johns johnston jordan joseph juarez kádár kaiser kamara kane kapoor katz kaur kay keating keller kelley kemp kent kerr khalil kimura kirk knight knox koch köhler kobayashi kone koh kondo könig kovač kovács kowal král kramer kraus krause kruger krüger kuhn kuznetsov lacroix laine lam lamb lambert lane lang lange lara larson lau lawrence lawson leach leblanc leclerc leclair lehmann leon leonard leone lennox lester levine levy lewandowski lindgren lindholm lindqvist little lloyd logan lombardi lowe lucas luna lund lynch lyons maas macleod madsen magnusson maier malik malone mancini mann manning marques marquez marsh marshall martel martins mathieu matsumoto matthews maxwell may mayer maynard mazzi mcbride mccormick mccoy mccullough mcgee mcgrath mcguire mcintyre mckenna mckinney mclaughlin mcmahon mcmillan medina medrano mejia melo mendes mercado mercer mercier merz michaud middleton miles mills miranda moller molnár molnar monroe montero montgomery montoya moon mora moran moreira morin morozov morrow morton moser moss moser mueller mukherjee müller munoz muñoz murdoch myers nagy naidu nair nakagawa nash nassar navarro ncube neal németh neumann newton nguyễn nicholls nichols nicholson nieminen nikolić nixon nkosi noble nolan norris norton novák novotný nowak nunes núñez nuñez o'donnell o'hara o'reilly o'sullivan obi ochoa odom oduya ogawa oishi okada okeke okonkwo oliver oliveira ong opoku orozco osborne osei osman otieno ott owen oyelaran pacheco padilla page pal palacios pálmi papadakis pappas paquet parekh parikh parra parsons patterson patton paul payne pearce pearson pena peña pereira perkins perrin peters petit petrović petterson philips phiri pierce pinto piper poole pope portillo porter potter poulsen pratt prieto prince proctor pruitt pugh quintero radu raman ramsey randall rao rasmussen ray raymond reeves reilly reis reyes reynolds rhodes ribeiro rice rich richard riley rios ritter rivas rivers robbins roberson robin robles rocha rodgers roberts rojas romero roth rossi rowe rubio ruiz rush ryan saeed saito salazar salas salinas samuel sandoval sanders sandberg santana santiago santoro sasaki saunders savage sawyer schäfer schaefer schmid schmitt schmitz scholz schreiber schröder schroeder schubert schultz schulze schumacher schuster schwartz scott seidel serra serrano sethi shah shaikh shannon sharp sheehan shepherd sheppard sherman sherwood shields shimizu short siddiqui simon sinclair singleton skinner slater sloan small soares solomon sommer song sorensen sørensen soto soto spence spencer stanley stark steele stein stephens stephenson stokes strand strauss strickland strong suarez suárez summers sutherland sutton swanson sweeney szabó szabo szász szewczyk tait takács tamura tate teixeira terry thakur thapa thomas thorne thornton timm todd toledo tomlinson torres tóth townsend travis tucker turk tyler ueda underwood valdez valencia valentin valenzuela varga vaughn vaughan vazquez velasquez velez venter vermeulen vieira vincent virtanen visser vogel vogt vos wade wagner walsh walters walton ward warner warren waters watkins watt watts weaver webster weeks weiss welch weller wheeler whitaker whitehead whitney wiese wiggins wilcox wilkins willis winkler winter winters wolf wolfe wolff woods woodward wyatt yamada yamaguchi yates yeo yildiz yılmaz york yoshida yu zamora zapata zeller zeman zimmer zuniga";

/// Given names that are also words, places or brands: they count only where something else speaks for them.
const WORDS_TOO: &str = "\
will may mark bill grant jordan georgia chad paris austin sydney victoria charlotte florence julia ruby ada pascal alexa siri claude \
gemini robin jay rose lily daisy amber katrina art faith hope joy frank earnest drew chase pat sue josh carter dallas denver lincoln \
jenkins jira john luke matthew august april june summer autumn ivy jasmine olive pearl sandy dean duke earl prince king page rich \
rob rusty sage skip stone violet wade ward angel crystal dawn eve gene ginger glen grace guy jack jean ray miles max roman carol \
christian virginia chelsea madison savannah phoenix israel diego iris luna aurora milan kim chen tan long park hall wood young west \
king price gray white brown green black nelson morgan wells ford tesla jackson houston washington franklin hamilton \
mercy joy faith grace basil august archie bobby chris finn fleur fritz lola moe nam norma orlando per perla priscilla puck rosario santos siri sasha tone urban valentine victoria \
virgil zita dag elin ariel athena isla taylor toby tom mandy gill day dean black bishop bird bell banks barber baker cook cooke cross fields fox french frost gates glass goodman grant graves hale hill holland hunt hunter \
hopper kent knight lane lang little long marsh may miles mills moon moss noble page paul pope porter potter prince ray reeves rice rich rivers rush savage sharp shields short singleton small stark steele stone strong summers \
walters ward warner waters weeks winter winters wolf wolfe woods york young yu song rose oliver ocean major mason miller carpenter fisher gardner turner tyler weaver webster wheeler wright bond blake berry beck bach frank francis george james john \
mark martin max bill carter carolina dakota virginia georgia augusta regina lima santiago bristol lancaster kent sierra nova asia india china church spelling park khan norman roman yuan ming tang song forest stadium";

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
national royal international central public world river mount lake valley island islands bay beach forest garden gardens palace \
castle bridge tower cathedral abbey stadium arena airport station museum library theatre theater empire kingdom republic dynasty battle treaty \
act league cup bowl championship olympic games award prize mosque zoo market mall plaza festival \
italy france spain germany england scotland wales ireland europe asia africa america russia india china japan \
general colonel captain major sergeant lieutenant admiral bishop pope emperor duke count baron despite senator governor mayor \
chancellor ambassador reverend father mother brother sister uncle aunt economist philosopher author poet singer actor actress coach \
god lord saint st nd rd th am pm ok tv uk us usa eu un it ceo cfo cto vp hr pr qa";
    static SET: LazyLock<HashSet<&'static str>> = LazyLock::new(|| set(LIST));
    contains(&SET, word)
}
