import type { Translation } from '../../../domain/shared/message.js';
import { type fields as english, joinLines } from '../en/fields.js';

/** zod's names of types. */
const types: Readonly<Record<string, string>> = {
  string: '문자열이어야 합니다',
  number: '숫자여야 합니다',
  int: '정수여야 합니다',
  integer: '정수여야 합니다',
  boolean: 'true 또는 false여야 합니다',
  object: '객체여야 합니다',
  array: '목록이어야 합니다',
  file: '파일이어야 합니다',
};
const receivedTypes: Readonly<Record<string, string>> = {
  string: '문자열',
  number: '숫자',
  boolean: 'true 또는 false',
  object: '객체',
  array: '목록',
  nothing: '없음',
};
const units: Readonly<Record<string, string>> = { string: '자', array: '개', file: '바이트' };

export const fields: Readonly<Translation<typeof english>> = {
  'field.whole-number': () => '정수여야 합니다',
  'field.whole-number-from': ({ from }) => `${from} 이상의 정수여야 합니다`,
  'field.whole-number-between': ({ from, to }) => `${from} 이상 ${to} 이하의 정수여야 합니다`,
  'field.id': () => '8421과 같은 1 이상 2^53-1 이하의 정수여야 합니다',
  'field.integer': () => '정수여야 합니다',
  'field.text': () => '공백만으로는 안 되며, 제어 문자가 없는 글이어야 합니다',
  'field.no-blanks': () => '공백만으로는 안 됩니다',
  'field.text-at-most': ({ max }) => `${max}자 이하여야 합니다`,
  'field.digits': () => '- 없이 숫자만 있어야 합니다',
  'field.birth': () => '실제로 있는 생년월일(YYYYMMDD)이어야 합니다',
  'field.moment': () => "yyyy-MM-dd'T'HH:mm:ss.SSS 형식에 시간대(+0900, +09:00 또는 Z)가 있어야 합니다",
  'field.offset': () => '시간대는 -23:59와 +23:59 사이여야 합니다',
  'field.moment-exists': () => '실제로 있는 날짜와 시각이어야 합니다',
  'field.moment-after': ({ start }) => `${start}보다 늦은 시각이어야 합니다`,
  'field.either': ({ values: [one, other] }) => `${one} 또는 ${other} 중 하나여야 합니다`,
  'field.one-of': ({ values }) => `다음 중 하나여야 합니다(${values.join(', ')})`,
  'field.one-at-least': ({ names }) => `다음 중 하나 이상이 있어야 합니다(${names.join(', ')})`,
  'field.key': () => 'UUID와 같이 영문자, 숫자, . _ : - 로 된 1자 이상 128자 이하여야 합니다',
  'field.key-missing': () =>
    '모든 쓰기 요청에 이 헤더가 있어야 합니다. 새 작업에는 새 UUID를, 반복에는 같은 UUID를 보내야 합니다',
  'field.cursor': () => '이전 응답의 nextCursor여야 합니다',
  'field.of-open': () => 'closed=false와 함께 보내거나 빼야 합니다',
  'field.parking-lot': () => '1(유료) 또는 0(알 수 없음)이어야 합니다',
  'field.override-reason': () => 'override: true에는 사유가 있어야 합니다',
  'field.approval': () => '0(승인 대기) 또는 1(승인됨)이어야 합니다',
  'field.replayable': () => 'sent, done 또는 dead여야 합니다. 다른 콜백은 아직 전달 중입니다',
  'field.photo-hash': () => '예약에 표시된 사진의 해시여야 합니다',
  'field.proposal': () => '예약에 있는 제안의 ID여야 합니다',
  'field.hold': () => 'carId, startAt, endAt, reason이 모두 있거나 proposalId만 있어야 합니다',
  'field.hold-change': () => 'startAt, endAt, reason 중 하나 이상이 있어야 합니다',
  'field.booking-outcome': () =>
    'outcome이 applied이고 reservationId가 있거나, outcome이 rejected여야 합니다',

  'field.each': ({ lines }, locale) => joinLines(lines, locale),
  'field.misfit': ({ expectation, received, gap }, { sentence }) => {
    const expected =
      typeof expectation === 'string'
        ? (types[expectation] ?? `형식이 맞아야 합니다(${expectation})`)
        : sentence(expectation);
    return `받은 값은 ${receivedTypes[received] ?? received}${gap === null ? '' : `(${gap})`}: ${expected}`;
  },
  'field.type': ({ expected }) => types[expected] ?? `형식이 맞아야 합니다(${expected})`,
  'field.at-least': ({ origin, limit }) => `${limit}${units[origin] ?? ''} 이상이어야 합니다`,
  'field.at-most': ({ origin, limit }) => `${limit}${units[origin] ?? ''} 이하여야 합니다`,
  'field.unknown': ({ keys }) => `알 수 없는 필드가 없어야 합니다(${keys.join(', ')})`,
  'field.value': ({ values }) => `다음 중 하나여야 합니다(${values.join(', ')})`,
  'field.other': ({ text }) => `값이 맞지 않습니다(${text})`,
};
