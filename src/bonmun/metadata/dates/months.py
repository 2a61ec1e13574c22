"""Names of months as they are written in dates, with their abbreviations, in some forty languages."""

from __future__ import annotations

__all__ = ["MONTHS"]

TABLE = """
january jan januar jänner janvier janv enero ene janeiro gennaio gen januari tammikuuta stycznia sty ledna
января янв січня ιανουαρίου ιαν ocak يناير جانفي มกราคม ม.ค január ianuarie január januára januarja siječnja gener
jaanuar sausio janvāris яну януари јануар जनवरी ינואר בינואר জানুয়ারি;
february feb februar février fevrier févr fév febrero fevereiro fev febbraio februari helmikuuta lutego lut
února февраля фев февр лютого φεβρουαρίου φεβ şubat فبراير شباط فيفري กุมภาพันธ์ ก.พ február februarie februára
februarja veljače febrer veebruar vasario februāris фев февруари фебруар फ़रवरी फरवरी פברואר בפברואר ফেব্রুয়ারি;
march mar märz mrz mär mars marzo março marco maart mrt marts maaliskuuta marca března марта март мар березня
μαρτίου μαρ mart مارس آذار มีนาคม มี.ค maret március martie mac ožujka març märts kovo мар मार्च מרץ במרץ מרס মার্চ;
april apr avril avr abril abr aprile huhtikuuta kwietnia kwi dubna апреля апр апрель квітня απριλίου απρ nisan أبريل
ابريل إبريل أفريل افريل نيسان เมษายน เม.ย április aprilie apríla aprila travnja aprill balandžio aprīlis април अप्रैल
אפריל
באפריל এপ্রিল;
may mai mayo maio maggio mag mei maj toukokuuta maja května мая май травня μαΐου μαϊου mayıs مايو ماي أيار พฤษภาคม
พ.ค május mája svibnja maig gegužės maijs мај मई מאי במאי মে;
june jun juni juin junio junho giugno giu kesäkuuta czerwca cze června июня июн июнь червня ιουνίου haziran يونيو جوان
حزيران มิถุนายน มิ.ย június iunie júna junija lipnja juny juuni birželio jūnijs юни јун जून יוני ביוני জুন;
july jul juli juillet juil julio julho luglio lug heinäkuuta lipca lip července июля июл июль липня ιουλίου temmuz
يوليو جويلية تموز กรกฎาคม ก.ค július iulie júla julija srpnja juliol juuli liepos jūlijs julai юли јул जुलाई יולי ביולי
জুলাই;
august aug août aout agosto ago augustus augusti elokuuta sierpnia sie srpna августа авг август серпня αυγούστου
ağustos أغسطس اغسطس أوت اوت آب สิงหาคม ส.ค agustus augusztus augusta avgusta kolovoza agost rugpjūčio augusts ogos
авг август अगस्त אוגוסט באוגוסט আগস্ট;
september sep sept septembre septiembre setiembre setembro set settembre syyskuuta września wrz září сентября
сен сент сентябрь вересня σεπτεμβρίου eylül سبتمبر أيلول กันยายน ก.ย szeptember septembrie septembra rujna setembre
rugsėjo septembris септември септембар सितंबर सितम्बर ספטמבר בספטמבר সেপ্টেম্বর;
october oct oktober okt octobre octubre outubro out ottobre ott lokakuuta października paź října октября окт октябрь
жовтня οκτωβρίου ekim أكتوبر اكتوبر ตุลาคม ต.ค október octombrie októbra oktobra listopada oktoober spalio oktobris
октомври октобар अक्टूबर अक्तूबर אוקטובר באוקטובר অক্টোবর;
november nov novembre noviembre novembro marraskuuta listopadu lis ноября ноя нояб ноябрь листопада
νοεμβρίου kasım نوفمبر พฤศจิกายน พ.ย noiembrie novembra studenoga studenog lapkričio novembris ноември новембар नवंबर
नवम्बर נובמבר בנובמבר নভেম্বর;
december dec dezember dez décembre decembre déc diciembre dic dezembro dicembre desember des joulukuuta
grudnia gru prosince декабря дек декабрь грудня δεκεμβρίου aralık ديسمبر ธันวาคม ธ.ค decembrie decembra prosinca
desembre detsember gruodžio decembris disember декември децембар दिसंबर दिसम्बर דצמבר בדצמבר ডিসেম্বর
"""
# The number of each. "listopada" is November in Polish and October in Croatian; the Polish meaning is more frequent.
MONTHS = {name: number for number, names in enumerate(TABLE.split(";"), 1) for name in names.split()} | {
    "listopada": 11
}
