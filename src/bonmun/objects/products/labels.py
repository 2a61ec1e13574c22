"""Labels of the codes and the brand of a product, in many languages."""

from __future__ import annotations

import re

from bonmun.text.patterns import compile_later

__all__ = ["BRAND_LABEL", "CODE", "CONDITION_LABEL", "GTIN_LABEL", "MPN_LABEL", "SKU_LABEL"]

NUMBER = r"(?:no|nr|num|number|code|id|#|№|n°|nº|ref)\.?"
SKU_LABEL = compile_later(
    r"(?:sku|asin|plu|"
    rf"(?:item|article|product|catalog(?:ue)?|stock|style|web|order|reference)[ -]?{NUMBER}|"
    r"(?:your |our )?(?:product )?(?:sku|item|code)(?: ?#)?|"
    r"art(?:ikel|icle)?\.?[ -]?(?:nummer|nr|no|num|id|#|№)\.?|art\.|artikel|bestell[ -]?(?:nummer|nr)\.?|"
    r"produkt[ -]?(?:nummer|nr|code|id)\.?|r[ée]f(?:\.|[ée]rence|er[eê]ncia|erenz)?(?: (?:du |de |del )?"
    r"(?:produit|produto|producto|article))?|n(?:r|umer|o)\.? ?ref(?:erencyjny|\.)?|"
    r"c[óo]d(?:igo|\.|ice|)(?: (?:de |del |do )?(?:producto|produto|prodotto|articolo|art[íi]culo|barras|produs))?|"
    r"(?:kod|kód|indeks|šifra|koda|koodi)(?: (?:produktu|towaru|izdelka|artikla|proizvoda|tovaru|zboží))?|"
    r"nr katalogowy|(?:kat(?:alogov[ée])?|obj(?:ednac[íi])?|produktov[ée])\.? ?č(?:íslo|\.)?|"
    r"(?:tuote|vare|artikel|ordre)(?:numero|nummer|nr)\.?|cikksz[áa]m|(?:ürün|stok) kodu|tootekood|prekės kodas|"
    r"артикул(?: товара)?|код(?: (?:товара|продукта|продукт|модели))?|арт\.?|номер (?:товара|артикула)|"
    r"каталожный номер|"
    r"продуктов номер|κωδικός(?: προϊόντος)?|상품 ?번호|상품 ?코드|제품 ?번호|제품 ?코드|품번|모델 ?번호|"
    r"商品番号|商品コード|品番|管理番号|製品番号|商品編號|商品编号|商品貨號|貨號|货号|產品編號|产品编号|商品代碼|"
    r"מק[\"״']?ט|קוד מוצר|מספר (?:מוצר|קטלוגי)|رقم (?:المنتج|الصنف|الموديل)|رمز (?:المنتج|الصنف)|كود المنتج|"
    r"mã sản phẩm|mã sp)",
    re.I,
)
MPN_LABEL = compile_later(
    rf"(?:mpn|p/n|model|(?:item )?model {NUMBER}|model name|(?:manufacturer|mfr|mfg|vendor)(?:'s|s)?\.? "
    rf"(?:part |item |model |product )?{NUMBER}|manufacturer (?:part|reference)|part {NUMBER}|"
    r"hersteller[ -]?(?:artikel)?[ -]?(?:nummer|nr)\.?|modell(?:nummer|nr\.?|name)?|"
    r"(?:numéro|référence) (?:de )?(?:du )?(?:modèle|fabricant|pièce)(?: de l'article)?|"
    r"(?:número|referencia) (?:de |del )?(?:modelo|fabricante)(?: del producto)?|modelo|"
    r"(?:numero|codice) (?:di )?(?:modello|produttore)(?: articolo)?|modello|"
    r"v[ýy]robn[íi] (?:číslo|kód)|kód výrobce|part number|kod producenta|модель|"
    r"型番|型號|型号|モデル番号|メーカー型番|모델명|דגם)",
    re.I,
)
GTIN_LABEL = compile_later(
    r"(?:ean|gtin|upc|isbn|jan)(?:[ -]?(?:code|nummer|number|kód|kod|no|8|10|12|13|14))*\.?|bar ?code|strichcode|"
    r"штрих[ -]?код|čiarový kód|čárový kód|kod kreskowy|global trade.{0,30}|barkod|條碼|バーコード|바코드",
    re.I,
)
BRAND_LABEL = compile_later(
    r"(?:brand(?: name)?|shop by brand|marke|marken?name|marque|marca|merk|merknaam|marka|znamka|značka|zna(?:m|č)ka|"
    r"blagovna znamka|m[äa]rke|varem[æe]rke|merke|tuotemerkki|merkki|bränd|zīmols|prekės ženklas|márka|gyártó|"
    r"manufacturer|made by|hersteller|fabricant|fabricante|fabrikant|producent|výrobce|výrobca|proizvajalec|"
    r"proizvođač|produttore|producător|üretici|valmistaja|tillverkare|бренд|марка|производитель|виробник|"
    r"торговая марка|производител|μάρκα|κατασκευαστής|브랜드|제조사|제조원|브랜드명|ブランド|ブランド名|メーカー|品牌|"
    r"廠牌|מותג|יצרן|חברה|العلامة التجارية|الماركة|ماركة|thương hiệu|label|artist|publisher|vendor)",
    re.I,
)
CONDITION_LABEL = compile_later(
    r"(?:item )?condition|zustand|(?:é|e)tat|estado|condizione|stan|stav|состояние|상품 ?상태|商品の状態|狀態|成色",
    re.I,
)
# A code of a shop or manufacturer. It has a digit.
CODE = compile_later(r"(?=[^\s]{0,40}[0-9])[^\W_](?:[\w./+-]{0,38}[^\W_])?(?: ?/ ?[0-9]{1,6})?")
