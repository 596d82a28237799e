import type { Translation } from '../../../shared/message.js';
import type { Period } from '../../../shared/time.js';
import type { moves as english } from '../en/moves.js';
import { carName, factName, grades, markName, named } from './names.js';

export const moves: Readonly<Translation<typeof english>> = {
  'moved.status': ({ code, inferred }) =>
    `현재 상태: ${named(code)}.${inferred.length === 0 ? '' : ` 추론된 상태: ${inferred.join(', ')}.`}`,
  'moved.status-grade': ({ code, is, was }) =>
    `상태 ${code}의 근거가 바뀌었습니다: ${grades[was]} → ${grades[is]}.`,
  'moved.fact-grade': ({ fact, is, was }) =>
    `${factName(fact)}의 근거가 바뀌었습니다: ${grades[was]} → ${grades[is]}.`,
  'moved.car': ({ from, to }) =>
    from === null
      ? `차량: ${carName(to)}.`
      : `차량이 바뀌었습니다: ${carName(from)} → ${carName(to)}. 이전 차량의 사진은 더 이상 유효하지 않습니다.`,
  'moved.period': ({ from, to }, { time }) => {
    const text = ({ start, end }: Period) => `${time(start)} – ${time(end)}`;
    return from === null
      ? `대여 기간: ${text(to)}.`
      : `대여 기간이 바뀌었습니다: ${text(from)} → ${text(to)}. 기한도 함께 바뀝니다.`;
  },
  'moved.known': ({ facts }) => `새로 알려진 정보: ${facts.map(factName).join(', ')}.`,
  'moved.changed': ({ facts }) => `바뀐 정보: ${facts.map(factName).join(', ')}.`,
  'moved.marked': ({ marks }) => `표시됨: ${marks.map(markName).join(', ')}.`,
  'moved.unmarked': ({ marks }) => `표시 해제됨: ${marks.map(markName).join(', ')}.`,
  'moved.expected': ({ expected }, { time }) => {
    if (expected === null) return '더 이상 예상되는 상태가 없습니다.';
    const by = expected.by === null ? '' : `, ${time(expected.by)}까지`;
    return `다음 예상: ${named(expected.code)}${by}.`;
  },
  'period.ended': () => '대여 기간이 끝났습니다.',
};
