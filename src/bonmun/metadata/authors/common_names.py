"""Common given names and family names, which tell the name of a person from the label of a menu."""

from __future__ import annotations

__all__ = ["KOREAN_FAMILIES", "may_be_person"]

GIVEN_NAMES = frozenset(
    """
aaron abby adam adrian aisha alan albert alec alejandro alessandro alex alexander alexandra alexis alfred ali alice
alicia alison allan allison amanda amber amy ana anders andre andrea andreas andrei andrew andy angela anita ann
anna anne annette annie anthony antoine anton antonio april ariel arjun arthur ashley astrid audrey austin barbara
beatrice ben benjamin bernard beth bethany betty bill billy björn bob bonnie brad bradley brandon brenda brendan
brett brian bridget brooke bruce bruno bryan caitlin caleb cameron camille carl carla carlos carmen carol caroline
carolyn carrie casey cassidy catherine cecilia chad charles charlie charlotte chase chelsea cheryl chloe chris
christian christina christine christoph christopher cindy claire clara claudia claus clint cole colin connie connor
corey courtney craig crystal curtis cynthia daisy dale damian dan dana daniel daniela daniele danielle danny darren
dave david dawn dean deborah debra denis denise dennis derek diana diane diego dieter dirk dmitri dmitry dominic
don donald donna dorothy doug douglas drew duncan dustin dylan eduardo edward elena eli elijah elisabeth elizabeth
ellen elliot emily emma emmanuel enrique eric erica erik erika erin ernest ethan eugene eva evan evelyn fabian
fabio federico felix fernando fiona florian frances francesca francesco francis francisco franck frank franz fred
frederic frederick friedrich gabriel gareth gary gavin geoff george georg georgia gerald gerard gianni gina
giovanni giulia giuseppe glenn gloria gordon grace graham grant greg gregory guido gunnar gustavo hannah hans
harald harold harry hassan heather heidi heinz helen helena helmut hendrik henrik henry herbert holger holly howard
hugh hugo ian ibrahim igor ingrid irene iris isaac isabel isabella ivan jack jackie jacob jacqueline jacques jake
jakob james jamie jan jane janet janice jared jasmine jason javier jay jean jeff jeffrey jenna jennifer jenny jens
jeremy jerome jerry jesse jessica jill jim jimmy joan joanna joanne jochen joe joel johan johann johanna john
johnny jon jonas jonathan jordan jorge jose joseph josef josh joshua joyce juan judith judy julia julian juliana
julie juliette julien jürgen justin kai karen karin karl kate katharina katherine kathleen kathryn kathy katie
katja katrin kay keith kelly ken kenneth kerry kevin khalid kim kirsten klaus kristen kristin kristina kurt kyle
lara larry lars laura lauren laurence laurent lawrence lea leah lee lena leo leon leonard leonardo leslie liam lily
linda lindsay lindsey lisa liz logan lois lorenzo lori louis louise luca lucas lucia lucy luis luke lukas lydia
lynn madeleine maggie magnus manuel marc marcel marco marcus margaret maria marie marilyn marina mario marion
marisa mark markus marta martha martin martina mary mathias mathieu matias matt matteo matthew matthias maurice max
maxime megan mehmet meg melanie melissa meredith mia michael michaela michel michele michelle miguel mikael mike
mikhail miles milan miriam mohamed mohammad mohammed molly monica monika morgan muhammad mustafa nadia nancy naomi
natalia natalie natasha nate nathan nathalie neil nicholas nick nicola nicolas nicole nigel niklas nikolai nils
nina noah noel nora norman nuria olaf olga oliver olivia oliwia omar oscar otto owen pablo pam pamela paolo pascal
pat patricia patrick paul paula paulo pavel pedro peggy penny per peter petra phil philip philipp philippe phillip
pierre priya rachel rafael rahul raj ralf ralph ramon randy raphael raymond rebecca regina rené renee ricardo
richard rick rita rob robert roberta roberto robin rodrigo roger roland rolf roman ron ronald rosa rose rosemary
ross roy ruben russell ruth ryan sabine sally sam samantha samuel sandra sara sarah sascha scott sean sebastian
serge sergei sergey sergio seth shane shannon sharon shaun shawn sheila shelley sherry silvia simon simone sofia
sonia sophia sophie stacey stacy stefan stefanie stephan stephane stephanie stephen steve steven stewart stuart sue
susan susanne suzanne sven sylvia tamara tammy tanja tanya tara taylor ted teresa terry theo theodore theresa
thomas tim timo timothy tina tobias toby todd tom tomas tommy toni tony tracy travis trevor tyler ulrich ulrike uwe
valentina valerie vanessa vera veronica victor victoria vincent virginia vivian vladimir walter wanda wayne wendy
werner will william wolfgang xavier yasmin yuri yves yvonne zach zachary zoe
александр алексей анастасия андрей анна антон борис вадим валентин валерий василий вера виктор виталий владимир
галина георгий григорий дарья денис дмитрий евгений евгения екатерина елена иван игорь илья ирина кирилл константин
ксения лариса лев леонид максим марина мария михаил надежда наталья никита николай ольга олег павел пётр петр роман
светлана сергей станислав татьяна фёдор юлия юрий яна ярослав
أحمد محمد علي حسن حسين خالد عمر يوسف إبراهيم عبد فاطمة مريم ليلى سارة
""".split()
)
KOREAN_FAMILIES = frozenset(
    "김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민나진지엄채원천방"
    "공현함변염여추도소석선설마길연위표명기반라왕금옥육인맹제모탁국"
)
CHINESE_FAMILIES = frozenset(
    "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧蕭程曹袁邓鄧"
    "许許傅沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎閻余潘杜戴夏钟鍾汪田任姜范方石姚谭譚廖邹鄒熊金陆陸郝孔"
    "白崔康毛邱秦江史顾顧侯邵孟龙龍万萬段雷钱錢汤湯尹黎易常武乔喬贺賀赖賴龚龔文佐鈴高田渡中小加吉山木松井"
    "清斎斉藤伊岡長近前後橋村石坂福西青原野増池島上北平河安内南森谷"
)
MAX_EAST_ASIAN_NAME_CHARS = 5  # with a space


def may_be_person(name: str) -> bool:
    """Whether a name starts with a given name, or is short and starts with an East Asian family name."""
    first = name.split(" ", 1)[0].strip(".,").casefold()
    if first in GIVEN_NAMES:
        return True
    if name.isascii() or not 2 <= len(name) <= MAX_EAST_ASIAN_NAME_CHARS:
        return False
    return name[0] in KOREAN_FAMILIES or name[0] in CHINESE_FAMILIES
