"""Words of recipes in many languages: headings, units of ingredients, units of time, labels of yields and times."""

from __future__ import annotations

from bonmun.metadata.scans import fold_text

__all__ = [
    "CLASS_PARTS",
    "COUNT_WORDS",
    "ENDING_HEADINGS",
    "INGREDIENT_HEADINGS",
    "NUTRIENTS",
    "STEP_HEADINGS",
    "SWITCHES",
    "TIME_LABELS",
    "UNITS",
    "YIELD_LABELS",
]


def _fold(table: str) -> frozenset[str]:
    """Return the entries of a table, which are separated by ";" or line breaks, folded (see `fold_text`)."""
    return frozenset(fold_text(entry) for line in table.splitlines() for entry in line.split(";")) - {""}


# A heading above the ingredients starts with one of these.
INGREDIENT_HEADINGS = _fold("""
ingredients; ingredient list; ingredient; what you need; what you'll need; you will need; you'll need; shopping list
zutaten; zutatenliste; das brauchst du; du brauchst
ingrédients; les ingrédients; liste des ingrédients
ingrediënten; ingrediëntenlijst; wat heb je nodig; dit heb je nodig; benodigdheden
ingredientes; lista de ingredientes
ingredienti; gli ingredienti; lista degli ingredienti
ingredienser; ingrediens; ingrediensliste; det skal du bruge; du trenger; dette trenger du; det här behöver du
ainekset; ainesosat; raaka-aineet; tarvitset
składniki; lista składników
ингредиенты; состав; продукты; вам понадобится; понадобится; інгредієнти
재료; 준비재료; 준비 재료; 주재료; 필수재료; 필요한 재료
材料; 食材; 用料; 主料; 原料; 配料; 材料清单; 所需材料; 食材明細; 準備するもの
malzemeler; malzeme; gerekli malzemeler
suroviny; ingredience; potřebujeme; ingrediencie; suroviny na
hozzávalók; alapanyagok; ingrediente; sastojci; sestavine; υλικά; συστατικά; съставки; продукти; необходими продукти
thành phần; nguyên liệu; bahan; bahan-bahan; ส่วนผสม; วัตถุดิบ; مكونات; المكونات; المقادير; مقادير; مواد لازم
מרכיבים; מצרכים
""")
# A heading above the steps starts with one of these.
STEP_HEADINGS = _fold("""
instructions; directions; method; preparation; steps; how to make; how to cook; how to prepare; procedure; to make
cooking instructions; cooking directions
cooking method; make it; let's cook; preparation method; step by step; step-by-step; recipe instructions; the method
what to do; recipe directions
zubereitung; anleitung; so wird es gemacht; so geht es; so machst du; so geht's; so wird's gemacht
zubereitungsschritte; arbeitsschritte; schritt für schritt; und so geht's; so gehts
préparation; étapes; instructions; réalisation; recette; les étapes; étapes de préparation; la préparation
progression; mode de préparation
bereiding; bereidingswijze; bereidingswijze; zo maak je het; aan de slag; instructies; stappen; werkwijze
voorbereiding; zo maak je; hoe maak je
preparación; elaboración; instrucciones; pasos; modo de preparación; cómo hacer; paso a paso; cómo preparar
preparazione; procedimento; istruzioni; come fare; come preparare; come si prepara; esecuzione
modo de preparo; modo de preparação; preparação; preparo; modo de fazer; como fazer; instruções; passo a passo
confeção
gör så här; så här gör du; tillagning; instruktioner; steg för steg; beskrivning; såhär gör du; arbetsgång
fremgangsmåde; sådan gør du; tilberedning; instruktioner; vejledning
framgangsmåte; fremgangsmåte; slik gjør du; slik gjør du det; instruksjoner; tilberedelse
valmistus; valmistusohje; valmistusohjeet; ohje; ohjeet; näin teet; tee näin; vaiheet
przygotowanie; sposób przygotowania; wykonanie; instrukcje; jak zrobić; sposób wykonania; krok po kroku
etapy przygotowania; instrukcja
приготовление; способ приготовления; как приготовить; пошаговый рецепт; инструкция; рецепт приготовления
пошаговое приготовление; приготування
만드는 법; 만드는법; 만들기; 조리순서; 조리 순서; 조리법; 조리방법; 조리 방법; 만드는 방법; 요리순서; 레시피 순서
作り方; つくり方; 手順; 調理方法; 作り方・手順; 下準備
做法; 步骤; 步驟; 烹饪步骤; 制作方法; 制作步骤; 作法; 料理步驟; 做法步骤; 烹飪步驟; 操作步骤; 烹调方法
hazırlanışı; yapılışı; yapılış; tarif; nasıl yapılır; hazırlama; hazırlanış; tarifi
postup; postup přípravy; příprava; postup prípravy; príprava; elkészítés; elkészítése; így készül; mod de preparare
preparare; instrucțiuni
priprema; način pripreme; postopek; priprava; εκτέλεση; οδηγίες; παρασκευή; начин на приготвяне; приготвяне
cách làm; cách nấu; cara membuat; langkah; langkah-langkah; วิธีทำ; طريقة التحضير; طريقة العمل; التحضير; الطريقة
طرز تهیه; דרך ההכנה; אופן ההכנה; הוראות הכנה
""")
# A heading that ends a recipe, or at least its ingredients and steps, starts with one of these.
ENDING_HEADINGS = _fold("""
notes; recipe notes; note; tips; tip; nutrition; nutritional; nutrition facts; video; equipment; comments; reviews
related; more recipes; you may also; you might also
leave a; did you make; rate this; faq; frequently asked; storage; share; about the author; similar recipes
leave a comment; recommended; what to serve; substitutions; variations; special equipment; cook's notes
tools; utensils; kitchen tools; did you; author; keywords; leave a reply; join the; categories; tags; have you
tried this; made this; calories; dietary; allergens; print; newsletter; sign up; subscribe; special tools
nährwerte; nährwert; tipps; hinweise; kommentare; bewertungen; weitere rezepte; ähnliche rezepte; das könnte
rezept bewerten; küchengeräte; utensilien; mehr rezepte
astuces; conseils; commentaires; valeurs nutritionnelles; notre conseil; ustensiles; matériel; vous aimerez; avis
autres recettes; les commentaires; informations nutritionnelles; accord
voedingswaarden; voedingswaarde; reacties; meer recepten; keukenspullen; ook lekker; bewaar; benodigdheden keuken
keukengerei
consejos; trucos; información nutricional; comentarios; recetas relacionadas; más recetas; utensilios
valor nutricional
consigli; commenti; valori nutrizionali; conservazione; abbinamento; ricette correlate; altre ricette; strumenti
dicas; informações nutricionais; comentários; receitas relacionadas; mais receitas; utensílios
tips; näringsvärde; kommentarer; fler recept; liknande recept; omdömen; næringsindhold; kommentarer
flere opskrifter; næringsinnhold; flere oppskrifter; tips fra kokken
vinkit; ravintosisältö; kommentit; lisää reseptejä; vinkki; wskazówki; komentarze; wartości odżywcze
podobne przepisy; rady; porady
советы; комментарии; похожие рецепты; пищевая ценность; отзывы; 팁; 댓글; 영양; 영양정보; 관련 레시피; 요리팁; 리뷰
후기
コツ; ポイント; コツ・ポイント; コメント; レビュー; 栄養; 関連レシピ; つくれぽ; 小贴士; 小貼士; 评论; 評論; 留言
营养; 相关; 相關; 小窍门; 技巧
ipuçları; püf noktası; püf noktaları; yorumlar; besin değerleri; benzer tarifler; tippek; megjegyzés; komentáře
poznámky; nutriční; komentáre; poznámka; tipy
""")
# Parts of class names and ids: of ingredients, and of steps.
CLASS_PARTS = {
    "ingredients": "ingredient zutat ingrédient ingredien sastoj hozzaval skladnik ainesosa malzeme surovin",
    "steps": (
        "instruction direction preparation method step zubereitung anleitung etape bereiding bereidingswijze "
        "preparacion "
        "preparazione preparo fremgang tillagning howto procedure elaboracion valmistus przygotow postup recipe-body"
    ),
}
# Units of ingredients, without a dot at the end, in lower case.
UNITS = frozenset(
    unit
    for line in """
cup cups c tbsp tbsps tbs tb tbl tablespoon tablespoons tsp tsps teaspoon teaspoons t ounce ounces oz pound pounds
lb lbs gram grams gramme grammes g gr gm gms kg kilo kilos
kilogram kilograms mg ml milliliter milliliters millilitre millilitres mls cl dl deciliter l liter liters litre
litres quart quarts qt qts pint pints pt gallon gallons fl floz fluid pinch pinches dash dashes clove
cloves can cans tin tins jar jars package packages pkg packet packets pack packs stick sticks slice slices piece
pieces bunch bunches sprig sprigs stalk stalks rib ribs head heads
handful handfuls drop drops bottle bottles box boxes bag bags sheet sheets fillet fillets strip strips inch inches
cm mm scoop scoops splash splashes knob knobs ear ears carton cartons
container containers envelope envelopes block blocks cube cubes leaf leaves wedge wedges part parts serving servings
tube tubes loaf loaves bulb bulbs dollop glug zest shot shots
el tl essl essl teel esslöffel teelöffel prise prisen stück stk stck bund zehe zehen dose dosen packung packungen
pck päckchen pkt becher tasse tassen scheibe scheiben zweig zweige glas gläser msp messerspitze
tropfen schuss blatt blätter stange stangen kopf köpfe würfel spritzer handvoll flasche flaschen beutel gramm liter
kugel kugeln stiel stiele knolle knollen stängel bd kilogramm milliliter
cuillère cuillères cuil cuillerée cuillerées càs càc cs cc tasse verre verres pincée pincées gousse gousses sachet
sachets tranche tranches boîte boîtes botte bottes brin brins pot pots
branche branches feuille feuilles bouquet bouquets filet filets noisette noix morceau morceaux unité unités bocal
rouleau litre tête litres bâton bâtons brique rondelle rondelles
eetlepel eetlepels theelepel theelepels snufje teen teentje teentjes blik blikje blikken stuk stuks plak plakken
plakje plakjes takje takjes bosje bos zakje zakjes pak pakje kopje scheut scheutje handje pot potje teentjes gram
kilo blaadjes stengel stengels
cucharada cucharadas cucharadita cucharaditas cda cdas cdta cdtas taza tazas pizca pizcas diente dientes lata latas
rebanada rebanadas manojo vaso vasos gramo gramos litro litros sobre unidad unidades ud uds rama ramas hoja hojas
kilo trozo loncha lonchas chorro chorrito puñado
cucchiaio cucchiai cucchiaino cucchiaini tazza tazze pizzico spicchio spicchi fetta fette bustina bustine mazzetto
rametto rametti foglia foglie bicchiere bicchieri grammi etto litro fogli ciuffo costa coste barattolo scatola
confezione qb manciata
colher colheres xícara xícaras chávena chávenas pitada dente dentes lata copo copos fatia fatias maço unidade
unidades ramo ramos folha folhas pacote sopa chá gota gotas caixa caixas fio
msk tsk krm kryddmått dl st stk klyfta klyftor burk burkar förp förpackning paket knippe kruka näve nypa skiva
skivor portion portioner deciliter bit bitar påse kvist kvistar ss ts teskje teskjeer spiseskje spiseskjeer fedd båt
pakke boks knivspiss klype bunt neve dåse dåser fed bundt knivspids nip spsk tsk kop kopper skive skiver pk glass
pose poser
rkl tl kpl prk pkt tlk ripaus dl kynsi kynttä purkki ruukku nippu viipale viipaletta siivu siivua pussi
szklanka szklanki szklanek łyżka łyżki łyżek łyżeczka łyżeczki łyżeczek szczypta szczypty ząbek ząbki ząbków puszka
puszki opakowanie opakowania sztuka sztuki sztuk szt dag pęczek plaster plastry plasterki kostka garść gram gramów
ст ч л стакан стакана стаканов щепотка щепотки зубчик зубчика зубчиков банка банки шт штука штуки штук г гр кг мл
ложка ложки ложек пучок пучка пакетик по грамм столовая чайная стл чл веточка веточки ломтик ломтика
컵 큰술 작은술 스푼 큰스푼 작은스푼 숟가락 개 쪽 장 줌 줄기 대 톨 알 마리 모 봉 봉지 팩 꼬집 조각 근 인분 그램 리터
통 뿌리 술 티스푼 테이블스푼 밥숟가락 토막 단 포기 줄 캔 병 큰 작은 약간 적당량 조금
大さじ 小さじ カップ 個 本 枚 片 かけ 束 袋 缶 パック 少々 適量 ひとつまみ 丁 切れ 株 合 玉 匹 尾 杯 把 房 節 グラム
リットル 適宜 お好みで 人分 かけら 滴
克 千克 公斤 斤 两 兩 毫升 升 勺 茶匙 汤匙 湯匙 大匙 小匙 杯 个 個 只 隻 根 片 块 塊 颗 顆 粒 瓣 把 条 條 张 張 包
盒 罐 适量 適量 少许 少許 滴 朵 棵 株 段 碗 头 頭 枚 支 份 克左右
bardak bardağı kaşık kaşığı su yemek tatlı çay tutam diş adet paket demet dilim fincan fincanı gram kilo litre kase
dal avuç yaprak
lžíce lžička lžičky hrnek hrnky špetka ks stroužek stroužky pl čl kl hrst balíček balenie štipka strúčik strúčiky
lyžica lyžice lyžička šálka dkg ek tk kk csipet gerezd evőkanál teáskanál kávéskanál fej szál csomag bögre db csokor
lingură lingurițe căni
""".splitlines()
    for unit in line.split()
)
# What a yield counts: "4 servings", "für 4 Personen". Cups and pieces also count ingredients, so they need a label.
COUNT_WORDS = _fold("""
servings; serving; people; persons; person; portions; portion; guests
personen; portionen; porties; portie; personnes; pers; parts; convives; personne; couverts; personas; raciones
porciones; comensales; persone; porzioni; pessoas; porções; pessoa
portioner; personer; porsjoner; annosta; henkilöä; hengelle; porcji; porcje; porcja; osoby; osób; порций; порции
порция; персон; персоны
인분; 人分; 人份; 人前; kişilik; porsiyon; kişi; porce; porcí; osob; porcie; porcií; adag; fő; porcii; porcije
osoba; μερίδες
""")
# Labels before or after a yield.
YIELD_LABELS = _fold("""
servings; serves; yield; yields; makes; serving size; portions; portion size; recipe yield; serving; feeds
number of servings; people; for; yield:
portionen; für; ergibt; personen; menge; anzahl; pour; portions; nombre de personnes; rendement; personnes; quantité
personen; aantal personen; porties; voor; aantal; hoeveelheid
raciones; porciones; comensales; para; rinde; per; dosi; dosi per; porzioni; persone; porções; rendimento; rende
serve; doses; pessoas
portioner; antal; antal portioner; antal personer; personer; porsjoner; antall; antall porsjoner; annokset; annoksia
annosta; porcje; liczba porcji; ilość porcji; porcji; порции; порций; количество порций; на
인분; 분량; 양; 人分; 分量; 人数; 份量; 几人份; 份数; kişilik; porsiyon; kaç kişilik; porcí; počet porcí; porce
počet porcií; porcií; adag; adagok
""")
# Labels of times, by field; longer ones are tried first.
TIME_LABELS = {
    "prepTime": _fold("""
prep time; prep; preparation time; preparation; active time; hands-on time; hands on time; active; hands-on
hands on; time to prep; prepping time; active prep; kitchen time
vorbereitung; vorbereitungszeit; zubereitungszeit; arbeitszeit; vorbereiten; préparation; temps de préparation
voorbereiding; voorbereidingstijd; bereidingstijd
preparación; tiempo de preparación; preparazione; tempo di preparazione; preparo; tempo de preparo; preparação
tempo de preparação; förberedelse; förberedelsetid; forberedelse; forberedelsestid; forberedelser; arbejdstid
valmisteluaika; esivalmistelu; przygotowanie; czas przygotowania; подготовка; время подготовки; 준비시간; 준비 시간
準備時間; 下準備; 準備; 准备时间; 准备; hazırlama süresi; hazırlık; hazırlık süresi; hazırlama
příprava; doba přípravy; čas přípravy; čas prípravy; príprava; előkészítés; előkészületi idő
"""),
    "cookTime": _fold("""
cook time; cook; cooking time; cooking; baking time; bake time; bake; baking; grill time; time to cook; cooks in
fry time; roast time; grilling time
kochzeit; backzeit; garzeit; kochen; backen; koch-/backzeit; kochen/backen; cuisson; temps de cuisson; kooktijd
oventijd; baktijd; bereiden; cocción; tiempo de cocción; tiempo de cocinado; cocinado; cottura; tempo di cottura
cozimento; tempo de cozimento; cozedura; tempo de cozedura; tillagningstid; tillagning; tilberedningstid
tilberedning; koketid; steketid; bagetid; kypsennysaika; paistoaika; kypsennys; gotowanie; czas gotowania; pieczenie
czas pieczenia; приготовление; время приготовления; время готовки
조리시간; 조리 시간; 調理時間; 加熱時間; 烹饪时间; 烹調時間; 烹饪; pişirme süresi; pişirme; vaření; doba vaření
pečení; doba pečení; čas varenia; varenie; pečenie; sütési idő; főzési idő; sütés
"""),
    "totalTime": _fold("""
total time; total; ready in; time; duration; takes; overall time; total cook time; total cooking time; time required
ready; start to finish; all in; complete in; done in; time needed
gesamtzeit; gesamt; dauer; gesamtdauer; zeit; fertig in; zeitaufwand; temps total; durée; temps; prêt en
durée totale; totale tijd; totaal; klaar in; duur; tijd; totaaltijd; tiempo total; tiempo; duración; listo en
tempo totale; tempo; totale; pronta in; tempo total; pronto em; total
total tid; tid; totaltid; totalt; tid i alt; samlet tid; tidsforbrug; tidsbruk; kokonaisaika; aika; yhteensä; czas
czas całkowity; łącznie; całkowity czas; общее время; всего; время; 총 시간; 소요시간; 소요 시간; 시간; 所要時間
合計時間; 時間; 总时间; 所需时间; 用时; 耗时; 總時間; toplam süre; toplam; süre
celkem; celkový čas; celková doba; doba; čas; celkovo; teljes idő; összesen; összidő; idő
"""),
}
# Words of tables of nutrients that are not names of ingredients.
NUTRIENTS = _fold("""
kcal; kj; calories; calorie; energy; protein; proteins; carbohydrate; carbohydrates; carbs; saturated; saturates
cholesterol; sodium; fibre; fiber; brennwert; energie; eiweiß; kohlenhydrate; ballaststoffe
énergie; protéines; glucides; lipides; fibres; eiwitten; koolhydraten; vezels; calorías; proteínas; carbohidratos
grasas; proteine; carboidrati; grassi; carboidratos; gorduras; energi; kolhydrater; kulhydrater; karbohydrater
energia; proteiini; hiilihydraatit; białko; węglowodany; белки; углеводы; калории; 열량; 칼로리; 단백질; 탄수화물
나트륨; エネルギー; たんぱく質; 炭水化物; 热量; 蛋白质; 碳水化合物; protein; karbonhidrat; bílkoviny; sacharidy
fehérje; szénhidrát
""")
# Buttons above ingredients.
SWITCHES = _fold("""
us; metric; imperial; us customary; cups; grams; original; double; half; scale; 1x; 2x; 3x; 4x; 1/2x; ½x; print
copy; reset; units; us units; metric units; cook mode; shop ingredients; add to cart; select all; view all
show more; see more; more
""")
