// Korean translations of texts from the server: reasons, kinds, metadata, columns, features. Others are shown in English.

const SHORT = {
  // kinds of pages and blocks
  article: "기사·글", listing: "목록", collection: "모음", forum: "게시판", product: "상품", service: "서비스", documentation: "문서",
  none: "본문 없음", empty: "빈 페이지", paragraph: "문단", heading: "헤딩", item: "항목", cell: "셀", code: "코드", quote: "인용",
  caption: "캡션",
  // metadata
  title: "제목", author: "작성자", date: "날짜", modified: "수정일", "site name": "사이트 이름", description: "설명", language: "언어", image: "이미지",
  canonical: "표준 URL", tags: "태그",
  // columns
  kind: "종류", chance: "확률", bytes: "바이트", share: "비율", path: "경로", leaf: "리프", leaves: "리프", words: "단어", "word density": "단어 밀도",
  "link density": "링크 밀도", first: "시작", characters: "글자", chosen: "선택", blocks: "블록", weight: "가중치", main: "본문", p: "확률",
  rule: "규칙", field: "항목", elements: "요소", effect: "결과", sim: "유사도", score: "점수", text: "텍스트", dummy: "더미", depth: "깊이", sentences: "문장", similarity: "유사도",
};

const REASONS = {
  "like main text": "본문으로 보임", "rather main text than not": "본문에 가까움", "not like main text": "본문으로 보이지 않음",
  "mostly links, not like main text": "대부분 링크, 본문으로 보이지 않음", "short, not like main text": "짧음, 본문으로 보이지 않음",
  "between main text": "본문 사이에 있음", "said before": "앞에 이미 나온 텍스트", "caption of an image in the text": "본문 이미지의 설명", "words of a control": "버튼이나 링크의 문구", "promotion of another page": "다른 페이지를 홍보하는 문구", "byline, date or copyright": "기자명, 날짜 또는 저작권 표시", "price of the product": "상품의 가격", "lead of the text": "기사의 요약문", "heading of kept text": "본문의 소제목", "like the text beside it": "옆 본문과 같은 형식", "like most texts at such places": "같은 위치의 텍스트 대부분이 본문", "heading of kept items": "항목 묶음의 제목", "note of kept text": "본문이 가리키는 각주", licence: "이용 허락 안내", advertisement: "광고", "post like the kept ones": "본문에 있는 다른 글과 같은 형식의 글", "title of a kept item": "항목의 제목", "list below a kept heading": "소제목 아래의 목록", "the title": "제목", comment: "댓글", hidden: "숨겨짐", shown: "보임",
  "where the site repeats itself": "사이트에서 반복되는 위치",
  "too little text on the page": "페이지에 텍스트가 너무 적음", "a heading without text": "본문이 없는 헤딩",
  "part of what is not kept": "제외된 영역에 속함", "a page without main text": "본문이 없는 페이지", "a label far from all text": "본문에서 멀리 떨어진 짧은 라벨",
  "hidden, and shown elsewhere": "숨겨짐, 같은 텍스트가 다른 곳에 표시됨",
  "in a part named as boilerplate": "이름이 보일러플레이트인 영역", "mostly links": "대부분 링크", "outside the main region": "본문 영역 밖",
  "short, before the text": "본문 앞의 짧은 텍스트", "text in the main region": "본문 영역의 텍스트", "dense, not in a link": "밀도 높음, 링크 아님",
  "in a link": "링크 안", "not in a link": "링크 아님", "likely main text": "본문일 가능성이 높음", "unlikely main text": "본문일 가능성이 낮음",
  boilerplate: "보일러플레이트", "main text": "본문", "boilerplate by itself, but among main text": "단독으로는 보일러플레이트지만 본문 사이에 있음",
  "main text by itself, but among boilerplate": "단독으로는 본문이지만 보일러플레이트 사이에 있음", "in a shorter group": "더 짧은 그룹에 있음",
  "in the longest group": "가장 긴 그룹에 있음", "a copyright line": "저작권 표시", "around the chosen group": "선택된 그룹 주변",
  "in the chosen group": "선택된 그룹에 있음", "no sentence, before the text": "본문 앞, 문장 없음", "outside of the group": "그룹 밖",
  "a title candidate": "제목 후보", "another main candidate": "다른 본문 후보", "no candidate": "후보 아님", "the main text": "본문",
  "at a depth like the title": "제목과 비슷한 깊이", "at a depth unlike the title": "제목과 다른 깊이", "at another depth": "다른 깊이",
  "at the depth most like the title": "제목과 가장 비슷한 깊이", "at the depth with most sentences": "문장이 가장 많은 깊이",
  "no sentence": "문장 없음", "no sentence at any depth": "어느 깊이에도 문장 없음", "sentences, not in a link": "문장, 링크 아님",
  "sentences; no depth is like the title": "문장; 제목과 비슷한 깊이 없음",
};

const SENTENCES = {
  "Rules that match the page, and what each of their fields finds.": "페이지에 맞는 규칙과, 규칙의 각 항목이 찾은 것.",
  "Page kinds and the probability of each; none: a page without main text.": "페이지 종류: 종류별 확률입니다.",
  "The main region: the smallest element that, at every step down to it, holds most of the text outside of links.":
    "본문 영역: 단계마다 링크 밖 텍스트를 가장 많이 담은 가장 작은 요소입니다.",
  "Densities: one row per leaf that is shown.": "밀도: 보이는 모든 리프의 밀도입니다.",
  "Groups: runs of leaves with the same path.": "그룹: 경로가 같은 리프의 연속 구간입니다.",
  "Groups: blocks with the same path. Weight: bytes, a quarter of them without a sentence, zero in link blocks.":
    "그룹: 경로가 같은 블록입니다. 가중치는 바이트 수이며, 문장이 없으면 4분의 1, 링크 블록이면 0입니다.",
  "Title candidates: by main candidate, the most likely place above it first.": "제목 후보: 본문 후보마다, 그 위의 가장 가능성 높은 위치부터입니다.",
  "Main candidates: a dummy has no text; sizes are EUC-KR bytes.": "본문 후보: 더미에는 텍스트가 없습니다. 바이트는 EUC-KR 기준입니다.",
  "Depths: the leaves at each depth of the tree, when a step chose among the depths.":
    "깊이: 트리에서 깊이가 같은 리프이며, 깊이를 선택하던 단계의 상태입니다.",
  "The title that depths are compared with.": "비교한 제목: 깊이마다 이 제목과 비교했습니다.",
  // methods
  "the default: a trained network over blocks": "기본값: 블록을 판단하는 학습된 신경망",
  "text and link density over blocks, no training": "블록의 텍스트·링크 밀도 규칙, 학습 없음", "every block that is shown": "보이는 모든 블록",
  "word and link density of leaves": "리프의 단어·링크 밀도", "a trained recurrent network over leaves, BoilerNet": "리프를 읽는 학습된 순환 신경망, BoilerNet",
  "trained convolutions over leaves and neighbours, Web2Text": "리프와 이웃을 보는 학습된 합성곱, Web2Text",
  "the longest run of leaves with one path": "경로가 같은 가장 긴 리프 구간", "the same over blocks, its failures mended": "블록 단위로 같은 방법, 약점 보완",
  "the title, by place and likeness, and the text under it": "위치와 유사도로 찾은 제목과 그 아래 텍스트",
  "the same over blocks of any layout": "어떤 레이아웃에서든 블록 단위로 같은 방법", "all text": "모든 텍스트", "text outside of links": "링크 밖의 텍스트",
  "sentences outside of links": "링크 밖의 문장", "the depth with most sentences": "문장이 가장 많은 깊이",
  "the depth most like the title": "제목과 가장 비슷한 깊이", "M4 without link text": "M4에서 링크 텍스트 제외", "the sentences of M4": "M4의 문장",
  "the sentences of M42": "M42의 문장", "sentences at depths like the title": "제목과 비슷한 깊이의 문장",
  "M34 without link text: the paper's best": "M34에서 링크 텍스트 제외: 논문에서 가장 좋은 방법",
  "auto without the model that was trained here": "여기서 학습한 모델을 쓰지 않는 auto",
  // what lowers the confidence
  "Nothing is kept: the method found no main text.": "유지된 블록이 없습니다. 이 방법이 본문으로 판단한 텍스트가 없습니다.",
  "The page is too short or too long for the network, so rules were used instead.": "신경망을 쓰기에는 너무 짧거나 긴 페이지라 규칙으로 판단했습니다.",
  "Some kept blocks are hidden until a script shows them.": "유지된 블록 중 일부는 스크립트가 펼치기 전까지 숨겨져 있습니다.",
  "Some blocks are kept only because they are between kept blocks.": "유지된 블록 사이에 있다는 이유만으로 유지된 블록이 있습니다.",
  "The page has too many elements: its end is missing.": "요소 수가 한도를 넘어 페이지 끝부분이 빠졌습니다.",
};

const FEATURES = {
  letters: "글자 수", "letters outside of links, 0 if it is hidden": "링크 밖 글자 수", "the characters that it is written with": "사용된 문자 종류",
  digits: "숫자", "share of its characters that are in links": "링크 안 글자의 비율", "leaves in links": "링크 안의 리프", commas: "쉼표",
  "line breaks": "줄바꿈", "it is hidden": "숨겨짐", "share of its pairs of characters that are in the title": "제목과 겹치는 글자 쌍의 비율",
  "nearly all of it is in the title": "거의 전체가 제목에 포함됨", "blocks with the same text": "텍스트가 같은 블록 수",
  "elements between it and the block before it": "앞 블록과의 사이에 있는 요소", "share of the page's blocks before it": "페이지 블록 중 앞에 있는 비율",
  "blocks before it": "앞의 블록 수", "blocks after it": "뒤의 블록 수",
  "share of the page's letters outside of links that are before it": "페이지의 링크 밖 글자 중 앞에 있는 비율",
  "its letters, divided by those of the mean block": "평균 블록 대비 글자 수", "its letters, divided by those of the longest block": "가장 긴 블록 대비 글자 수",
  "blocks since the first <h1>": "첫 <h1>부터의 블록 수", "there is an <h1>": "<h1> 있음",
  "blocks since the one most like the title": "제목과 가장 비슷한 블록부터의 블록 수", "there is one like the title": "제목과 비슷한 블록 있음",
  "the blocks with the same path as it": "경로가 같은 블록들", "the blocks at the same depth as it": "깊이가 같은 블록들",
  "it ends with a sentence mark": "문장 부호로 끝남", "it ends with other punctuation": "다른 문장 부호로 끝남", "it starts with a capital": "대문자로 시작",
  "it starts with a digit": "숫자로 시작", "it starts with a symbol or a fence": "기호로 시작", "ancestors of its element": "둘러싼 요소 수",
  "it is short and a quarter of it is digits": "짧고 4분의 1이 숫자", "what repeats on the site": "사이트에서 반복되는 텍스트", "there is a site model": "사이트 모델 있음",
  "blocks since the last heading": "마지막 헤딩부터의 블록 수", "level of that heading, from 1/6 for <h1> to 1 for <h6>": "그 헤딩의 수준",
  "where its first link leads": "첫 링크의 URL", "its tag": "태그", "tags around it": "주변 태그", "class and id names": "class와 id 이름",
  "letters in it": "글자 수", "letters outside of links": "링크 밖 글자 수", "share of its letters that are in links": "링크 안 글자의 비율",
  "share of the page's letters that are in it": "페이지 글자 중의 비율", "share of the page's letters outside of links that are in it": "페이지의 링크 밖 글자 중의 비율",
  "letters outside of links a block": "블록당 링크 밖 글자 수", "sentences a block": "블록당 문장 수", "share of its blocks that are short": "짧은 블록의 비율",
  "share of its blocks that are mostly links": "대부분 링크인 블록의 비율", headings: "헤딩 수", "share of the page's blocks before its end": "끝까지의 페이지 블록 비율",
  "share of the page's letters outside of links before it": "앞에 있는 링크 밖 글자의 비율",
  "share of the page's letters outside of links before its end": "끝까지의 링크 밖 글자 비율", "elements around it": "둘러싼 요소 수", children: "자식 요소 수",
  "children of its parent with its tag and class names": "태그와 class가 같은 형제 수", "share of its twins before it": "같은 형제 중 앞에 있는 비율",
  "share of its parent's letters that are in it": "부모 글자 중의 비율", "share of its parent's letters outside of links that are in it": "부모의 링크 밖 글자 중의 비율",
  "pictures from its first block to the one after it": "그 안의 이미지 수", "fields and buttons there, a block": "블록당 입력란·버튼 수",
  "frames and scripts there": "프레임·스크립트 수", "rules and line breaks there": "구분선·줄바꿈 수", "icons there": "아이콘 수",
  "share of its blocks that are hidden": "숨겨진 블록의 비율",
};

const WORDS = new Map([SHORT, FEATURES, REASONS, SENTENCES].flatMap(Object.entries));

const WHAT = { sites: "사이트", pages: "페이지" };
const PARTS = { main: "본문", keep: "유지", drop: "제외", title: "제목", "not in main": "본문 선택자 밖", "not in within": "본문 영역 밖" };
const PATTERNS = [
  [/^on (\d+) of (\d+) pages of (the site|its kind)$/, (_, pages, of, what) => `${what === "the site" ? "사이트" : "같은 종류"}의 페이지 ${of}개 중 ${pages}개에 있음`],
  [/^too much of the page to lose, though (.+)$/, (_, rest) => `${translate(rest)}, 그러나 빼면 페이지의 너무 많은 부분을 잃음`],
  [/^rule (.+): (main|keep|drop|title|not in main|not in within)$/s, (_, name, part) => `규칙 ${name}: ${PARTS[part]}`],
  [/^around it: (.+)$/s, (_, rest) => `주변: ${translate(rest)}`],
  [/^(.+): (yes|no)$/s, (_, rest, is) => `${translate(rest)}: ${is === "yes" ? "예" : "아니요"}`],
  [/^The page may have no main text, like an error or login page: (\d+%) likely\.$/, (_, chance) => `오류나 로그인처럼 본문이 없는 페이지일 수 있습니다 (${chance}).`],
  [/^The kind of page is unclear: (.+)\.$/, (_, kinds) => `페이지 종류가 분명하지 않습니다: ${kinds.replace(/[a-z]+/g, translate)}.`],
  [/^(\d+) blocks with (\d+%) of the words are uncertain\.$/, (_, count, share) => `단어의 ${share}를 담은 블록 ${count}개의 판정이 불확실합니다.`],
  [/^One block with (\d+%) of the words is uncertain\.$/, (_, share) => `단어의 ${share}를 담은 블록 하나의 판정이 불확실합니다.`],
  [/^Only (\d+) words are kept, which is little evidence\.$/, (_, count) => `유지된 단어가 ${count}개뿐이라 판단 근거가 부족합니다.`],
  [/^The model was not saved: unseen (sites|pages) are (worse|no better) than before \(([^;]+); 95% interval over (\d+) \w+: (\S+) to (\S+)\)\.$/,
    (_, what, how, gain, count, low, high) => `모델을 저장하지 않았습니다. 학습에 쓰지 않은 ${WHAT[what]}에서 이전${how === "worse" ? "보다 나쁩니다" : "과 차이가 없습니다"} (${gain}; ${WHAT[what]} ${count}개의 95% 구간 ${low} ~ ${high}).`],
  [/^The model was not saved: a gain of (\S+) may be chance \(95% interval over (\d+) (sites|pages): (\S+) to (\S+)\); label more pages and try again\.$/,
    (_, gain, count, what, low, high) => `모델을 저장하지 않았습니다. ${gain}의 향상은 우연일 수 있습니다 (${WHAT[what]} ${count}개의 95% 구간 ${low} ~ ${high}). 페이지를 더 라벨링하고 다시 학습하세요.`],
  [/^The model was saved: unseen (sites|pages) improved by (\S+) \(95% interval over (\d+) \w+: (\S+) to (\S+)\)\.$/,
    (_, what, gain, count, low, high) => `모델을 저장했습니다. 학습에 쓰지 않은 ${WHAT[what]}에서 ${gain} 나아졌습니다 (${WHAT[what]} ${count}개의 95% 구간 ${low} ~ ${high}).`],
];

/** Return the Korean translation of a word or sentence, or the text itself. */
export function translate(text) {
  const known = WORDS.get(text);
  if (known) return known;
  const pattern = PATTERNS.find(([shape]) => shape.test(text));
  return pattern ? text.replace(...pattern) : text;
}
