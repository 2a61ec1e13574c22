"""Words that say whether a product can be bought, in many languages. All are in lower case."""

from __future__ import annotations

__all__ = ["BUY_WORDS", "IN_STOCK_WORDS", "OUT_OF_STOCK_WORDS", "PREORDER_WORDS"]

# On buttons.
BUY_WORDS = (
    "add to cart", "add to your", "add to basket", "add to bag", "add to trolley", "add to shopping", "buy now",
    "buy it now",
    "add to my cart", "add to order", "buy tickets", "get tickets", "purchase now", "order now",
    "in den warenkorb", "in den einkaufswagen", "in den korb", "zum warenkorb", "jetzt kaufen",
    "jetzt bestellen",
    "ajouter au panier", "ajouter à mon panier", "ajout au panier", "acheter", "añadir a la cesta",
    "añadir al carrito", "agregar al carro", "agregar al carrito", "añadir a la bolsa",
    "agregar a la bolsa", "comprar",
    "adicionar ao carrinho", "adicionar à sacola", "aggiungi al carrello", "acquista", "do koszyka",
    "kup teraz",
    "do košíku", "do košíka", "koupit", "kúpiť", "in winkelwagen", "in winkelmand", "toevoegen aan",
    "bestellen",
    "lägg i", "læg i kurv", "legg i handle", "kjøp", "köp", "köp nu", "lisää ostoskoriin",
    "lisää koriin", "osta",
    "в корзину", "купить", "заказать", "до кошика", "в кошик", "купити", "добави в кошницата",
    "добави в количката",
    "купи", "поръчай", "v košarico", "u košaricu", "dodaj u korpu", "kosárba", "sepete ekle", "satın al",
    "adaugă în coș", "adauga in cos", "στο καλάθι", "장바구니", "구매하기", "바로구매", "바로 구매", "카트에 담기",
    "カートに入れる", "カートに追加", "カートへ", "かごに入れる", "ご購入", "購入する", "注文する", "加入購物車",
    "加入购物车", "放入購物車", "加到購物車", "立即購買", "立即购买", "直接購買", "立即結帳", "我要買", "أضف إلى السلة",
    "إضافة إلى السلة", "أضف للسلة", "اشتري الآن", "اشتر الآن", "הוסף לסל", "הוספה לסל", "הוסף לעגלה",
    "קנה עכשיו",
    "thêm vào giỏ", "mua ngay", "tambah ke keranjang", "beli sekarang", "หยิบใส่ตะกร้า", "ซื้อเลย", "себетке",
)  # fmt: skip
IN_STOCK_WORDS = (
    "in stock", "instock", "available now", "ready to ship", "auf lager", "sofort lieferbar",
    "lieferbar", "vorrätig",
    "verfügbar", "en stock", "disponible", "disponibile", "disponível", "em estoque", "dostępny", "dostępne",
    "skladem", "na sklade", "skladom", "na zalogi", "na stanju", "op voorraad", "på lager", "i lager",
    "varastossa",
    "в наличии", "есть на складе", "в наявності", "в наличност", "налично", "in stoc", "raktáron", "készleten",
    "stokta", "재고 있음", "在庫あり", "在庫有", "有现货", "现货", "現貨", "有貨", "庫存充足", "متوفر", "במלאי",
    "còn hàng", "διαθέσιμο", "laos", "yra sandėlyje",
)  # fmt: skip
OUT_OF_STOCK_WORDS = (
    "out of stock", "out-of-stock", "outofstock", "sold out", "soldout", "currently unavailable",
    "not available",
    "no longer available", "temporarily unavailable", "unavailable", "discontinued", "not in stock",
    "ausverkauft",
    "nicht verfügbar", "nicht auf lager", "nicht lieferbar", "nicht vorrätig", "vergriffen", "rupture de stock",
    "en rupture", "épuisé", "indisponible", "agotado", "no disponible", "sin stock", "sin existencias",
    "esgotado",
    "indisponível", "fora de estoque", "esaurito", "non disponibile", "wyprzedan", "niedostępny",
    "brak w magazynie",
    "vyprodáno", "není skladem", "nie je skladom", "nedostupn", "vypredané", "uitverkocht", "niet op voorraad",
    "niet leverbaar", "slutsåld", "slut i lager", "udsolgt", "utsolgt", "ikke på lager", "loppunut",
    "ei varastossa",
    "нет в наличии", "распродано", "нет на складе", "закончился", "немає в наявності", "изчерпан",
    "няма наличност",
    "няма в наличност", "ni na zalogi", "razprodano", "nema na stanju", "elfogyott", "nincs raktáron",
    "tükendi",
    "stokta yok", "stoc epuizat", "εξαντλήθηκε", "μη διαθέσιμο", "품절", "일시품절", "재고 없음", "재고없음",
    "판매종료",
    "판매 종료", "売り切れ", "売切", "在庫切れ", "在庫なし", "品切れ", "完売", "販売終了",
    "售完", "缺货", "缺貨", "售罄", "已下架", "補貨中", "غير متوفر", "نفدت الكمية", "نفذت الكمية", "אזל מהמלאי",
    "לא במלאי", "אינו במלאי", "hết hàng",
    "สินค้าหมด",
)  # fmt: skip
PREORDER_WORDS = (
    "pre-order", "preorder", "pre order", "vorbestellen", "précommander", "reservar ahora", "предзаказ", "예약구매",
    "예약 구매", "予約する", "予約注文", "預購", "预订",
)  # fmt: skip
