"""Labels of events and jobs, in many languages, as `fold_text` writes them: without case, spaces and punctuation."""

from __future__ import annotations

from bonmun.metadata.scans import fold_text

__all__ = ["EVENT_LABELS", "JOB_LABELS", "JOB_SECTIONS"]


def _fold(table: dict[str, str]) -> dict[str, str]:
    """Return the role of each label, from labels by role, separated by bars."""
    return {fold_text(label): role for role, labels in table.items() for label in labels.split("|")}


EVENT_LABELS = _fold(
    {
        "when": "when|date|dates|date and time|date & time|date/time|day|day and time|wann|datum|termin|tag|"
        "datum und uhrzeit|quand|date et heure|jour|cuándo|fecha|fecha y hora|día|quando|data|data e ora|"
        "data e hora|wanneer|kdy|termín|kiedy|når|tid|dato|tidspunkt|när|milloin|ajankohta|когда|дата|"
        "дата и время|дата проведения|tarih|tanggal|일시|일자|날짜|기간|일정|日時|日程|期間|日付|时间|時間|日期|"
        "日期时间|일시 및 장소|waktu|เมื่อ|วันที่|วันเวลา|التاريخ|الموعد",
        # only events have these
        "event when": "event date|event dates|event time|date of event|show date|veranstaltungsdatum|"
        "veranstaltungstermin|date de l'événement|dates de l'événement|fecha del evento|data do evento|"
        "data dell'evento|행사일시|행사 기간|행사일|행사일정|공연일시|공연기간|공연일|전시기간|전시일정|개최일|"
        "개최일시|개최기간|강연일시|교육일시|교육기간|축제기간|開催日時|開催日|開催期間|開催日程|会期|公演日|"
        "公演日時|開演日時|活动时间|活動時間|活動日期|活动日期|举办时间|會議時間|会议时间|展览时间|展覽時間|"
        "展覽日期|演出时间|演出時間|讲座时间|講座時間",
        "start": "start|starts|start date|start time|starting|from|begin|begins|beginn|anfang|von|début|"
        "commence le|inicio|comienza|início|inizio|začátek|начало|시작|시작일|시작일시|開始|開始日時|开始时间|"
        "開始時間|aanvang",
        "end": "end|ends|end date|end time|ending|until|to|ende|bis|fin|termina|fim|fine|konec|окончание|종료|"
        "종료일|종료일시|終了|終了日時|结束时间|結束時間|einde",
        "time": "time|times|hours|event hours|uhrzeit|zeit|einlass|heure|heures|horaire|horaires|hora|horario|"
        "horário|ora|orario|tijd|čas|godzina|klokkeslæt|kl|klo|время|saat|시간|행사시간|공연시간|開演|時刻|"
        "開催時間|開始時刻",
        "where": "where|location|venue|place|event location|event venue|address|wo|ort|veranstaltungsort|"
        "ort der veranstaltung|treffpunkt|lieu|où|lieu de l'événement|adresse|lugar|dónde|ubicación|sede|onde|"
        "dove|luogo|waar|locatie|plaats|kde|místo|miejsce|gdzie|hvor|sted|var|plats|paikka|missä|где|место|"
        "место проведения|адрес|yer|mekan|tempat|lokasi|장소|행사장소|공연장|공연장소|전시장소|개최장소|교육장소|"
        "강연장소|위치|会場|場所|開催場所|開催地|会場名|地点|地點|场地|場地|活动地点|活動地點|会议地点|會議地點|"
        "举办地点|展览地点|展覽地點|演出地点|演出地點|สถานที่|المكان",
        "organizer": "organizer|organiser|organizers|organisers|organized by|organised by|hosted by|host|"
        "presented by|promoter|veranstalter|organisator|organisation|organisateur|organisé par|organizador|"
        "organiza|organizan|organizzatore|organizzato da|organizado por|pořadatel|organizator|arrangør|arrangör|"
        "järjestäjä|организатор|организаторы|düzenleyen|penyelenggara|주최|주관|주최 주관|주최기관|主催|主催者|"
        "主办方|主办单位|主辦|主辦單位",
        "price": "price|admission|cost|entry fee|entrance fee|ticket price|tickets|fee|fees|eintritt|preis|preise|"
        "kosten|teilnahmegebühr|tarif|tarifs|prix|precio|precios|entrada|entradas|preço|ingresso|biglietti|"
        "toegang|vstupné|bilety|inträde|билеты|стоимость|цена|참가비|입장료|관람료|티켓가격|가격|参加費|料金|"
        "入場料|参加料|チケット|费用|費用|票价|票價",
    }
)
# Labels whose value is one of a job.
JOB_LABELS = _fold(
    {
        "employer": "employer|company|company name|hiring organization|organisation|organization|institution|"
        "arbeitgeber|unternehmen|firma|entreprise|employeur|société|empresa|azienda|werkgever|bedrijf|společnost|"
        "zaměstnavatel|pracodawca|arbejdsgiver|arbetsgivare|työnantaja|работодатель|компания|işveren|회사명|"
        "기업명|회사|기관명|会社名|企業名|社名|公司|公司名称|公司名稱|用人单位|招聘单位",
        "place": "location|job location|work location|place of work|city|region|arbeitsort|einsatzort|standort|"
        "dienstort|lieu de travail|lieu du poste|lugar de trabajo|ubicación|localidad|local de trabalho|"
        "sede di lavoro|standplaats|místo výkonu práce|miejsce pracy|arbejdssted|arbetsort|место работы|근무지|"
        "근무지역|근무장소|근무처|勤務地|勤務先|勤務場所|工作地点|工作地點|上班地點",
        "salary": "salary|salary range|pay|pay range|compensation|wage|hourly rate|remuneration|annual salary|"
        "gehalt|vergütung|verdienst|lohn|entgelt|besoldung|salaire|rémunération|salario|sueldo|retribución|"
        "salário|retribuzione|stipendio|salaris|plat|mzda|wynagrodzenie|løn|lön|palkka|зарплата|заработная плата|"
        "оклад|ücret|급여|연봉|급여조건|임금|보수|월급|시급|給与|給料|月給|年収|時給|賃金|薪资|薪資|薪酬|工资|"
        "待遇|月薪",
        "kind": "employment type|job type|contract type|type of contract|type of employment|position type|"
        "work type|working hours|employment|contract|anstellungsart|beschäftigungsart|vertragsart|arbeitszeit|"
        "beschäftigungsumfang|arbeitsverhältnis|type de contrat|contrat|type d'emploi|temps de travail|"
        "tipo de contrato|jornada|jornada laboral|tipo di contratto|contratto|dienstverband|pracovní poměr|úvazek|"
        "typ úvazku|rodzaj umowy|wymiar pracy|тип занятости|график работы|занятость|고용형태|근무형태|채용형태|"
        "근무시간|雇用形態|勤務形態|勤務時間|工作性质|工作性質|工作时间|上班時段",
        "deadline": "deadline|application deadline|closing date|apply by|applications close|applications due|"
        "bewerbungsfrist|bewerbungsschluss|einsendeschluss|date limite|date limite de candidature|"
        "clôture des candidatures|fecha límite|plazo|plazo de presentación|cierre|scadenza|sollicitatiedeadline|"
        "termín podání|termin składania|ansøgningsfrist|søknadsfrist|ansökan senast|срок подачи|마감일|접수마감|"
        "접수기간|지원기간|모집기간|채용기간|접수마감일|応募締切|締切|応募期限|募集期間|応募期間|截止日期|"
        "报名时间|報名時間|招聘截止",
        "posted": "posted|date posted|posted on|posting date|published|veröffentlicht|veröffentlicht am|"
        "online seit|publié le|date de publication|publicado|fecha de publicación|pubblicato|zveřejněno|"
        "опубликовано|등록일|게시일|공고일|掲載日|发布日期|发布时间|刊登日期",
        "count": "number of positions|vacancies|openings|number of vacancies|anzahl stellen|nombre de postes|"
        "vacantes|número de vacantes|모집인원|채용인원|선발인원|採用人数|募集人数|招聘人数|招募人數|需求人數",
        "role": "position|job title|vacancy|post|stelle|stellenbezeichnung|position title|poste|intitulé du poste|"
        "puesto|cargo|functie|pozice|stanowisko|должность|вакансия|모집부문|모집분야|채용분야|모집직종|직무|職種|"
        "募集職種|职位|职位名称|岗位|職缺|職務名稱",
    }
)
# Headings of the parts of a job advertisement.
JOB_SECTIONS = _fold(
    {
        "tasks": "responsibilities|key responsibilities|duties|duties and responsibilities|job duties|"
        "job description|what you'll do|what you will do|your role|the role|about the role|about the job|"
        "about the position|role summary|position summary|essential functions|ihre aufgaben|deine aufgaben|"
        "aufgaben|aufgabengebiet|tätigkeiten|ihr aufgabengebiet|vos missions|missions|missions principales|"
        "description du poste|funciones|descripción del puesto|responsabilidades|mansioni|responsabilità|taken|"
        "functieomschrijving|náplň práce|co vás u nás čeká|co tě u nás čeká|co bude vaší náplní|zakres obowiązków|"
        "twój zakres obowiązków|arbeidsoppgaver|arbejdsopgaver|arbetsuppgifter|обязанности|담당업무|주요업무|"
        "업무내용|직무내용|仕事内容|業務内容|職務内容|岗位职责|工作职责|职位描述|工作内容|工作內容",
        "requirements": "requirements|qualifications|required qualifications|minimum qualifications|"
        "preferred qualifications|essential qualifications|basic qualifications|skills and experience|who you are|"
        "about you|what we're looking for|what you'll need|what you bring|ihr profil|dein profil|anforderungen|"
        "anforderungsprofil|das bringen sie mit|das bringst du mit|voraussetzungen|votre profil|profil|"
        "profil recherché|requisitos|perfil|requisiti|profilo|functie-eisen|vereisten|požadujeme|požadavky|"
        "co od vás očekáváme|jak si tě představujeme|wymagania|nasze wymagania|kvalifikasjoner|kvalifikationer|"
        "требования|자격요건|지원자격|응시자격|우대사항|자격조건|応募資格|応募条件|必須条件|求める人材|任职要求|"
        "任职资格|岗位要求|应聘条件|應徵條件|條件要求",
        "offer": "what we offer|we offer|benefits|our benefits|perks|wir bieten|das bieten wir|unser angebot|"
        "das bieten wir ihnen|nous offrons|nous vous offrons|avantages|ofrecemos|qué ofrecemos|offriamo|"
        "wij bieden|nabízíme|co vám nabídneme|co ti nabídneme|co nabízíme|oferujemy|to oferujemy|vi tilbyr|"
        "vi tilbyder|vi erbjuder|мы предлагаем|условия|복리후생|근무조건|福利厚生|待遇・福利厚生|福利待遇|公司福利",
        "apply": "how to apply|application process|application procedure|to apply|applying|bewerbung|"
        "ihre bewerbung|jetzt bewerben|bewerben|comment postuler|postuler|candidature|cómo aplicar|cómo postular|"
        "candidarsi|solliciteren|jak se přihlásit|aplikuj|접수방법|지원방법|제출서류|전형절차|応募方法|選考方法|"
        "選考プロセス|应聘方式|报名方式|應徵方式|apply now|apply for this job|apply for this position",
    }
)
