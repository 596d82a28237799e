import type { Action, AttentionKind, CarFact, CommandState, Grade } from '../../types.js';

const actions: Readonly<Record<Action, string>> = {
  'dispatch.staff': '배차 담당 지정',
  'dispatch.start': '배차 출발',
  'dispatch.parkingImage': '주차 사진 등록',
  'dispatch.carImage': '배차 차량 사진 등록',
  'dispatch.complete': '배차 완료',
  'recall.staff': '회수 담당 지정',
  'recall.carImage': '회수 차량 사진 등록',
  'recall.complete': '회수 완료',
};
const statuses: Readonly<Record<number, string>> = {
  5: '예약 완료',
  10: '배차 출발',
  15: '배차 완료',
  20: '사용 중',
  25: '반납 지연',
  30: '반납 완료',
  35: '회수 완료',
  40: '예약 취소',
  45: '노쇼 취소',
  50: '예약 실패',
};
const kinds: Readonly<Record<AttentionKind, string>> = {
  'terminal-contradiction': '종료 상태 모순',
  conflict: '보고 충돌',
  'unknown-status': '알 수 없는 상태',
  ambiguous: '값 충돌',
  'schedule-missing': '스케줄에 없음',
  'schedule-differs': '스케줄 불일치',
  incomplete: '정보 부족',
  'odd-period': '잘못된 기간',
  'spec-violation': '잘못된 등록',
  'dispatch-not-started': '배차 미출발',
  'handover-late': '인도 지연',
  'callback-overdue': '이용 보고 없음',
  'return-late': '반납 지연',
  'next-in-danger': '다음 예약 위험',
  'recall-overdue': '회수 지연',
  'not-announced': '콜백 미수신',
  'command-unknown': '명령 결과 불명',
  'note-not-kept': '메모 누락 가능',
  'retrieve-car': '차량 회수 필요',
};
export const grades: Readonly<Record<Grade, string>> = {
  observed: '보고됨',
  asserted: '확정됨',
  commanded: '명령됨',
  corroborated: '간접 확인',
  inferred: '추론됨',
};
export const outcomes: Readonly<Record<CommandState, string>> = {
  queued: '대기열',
  out: '플랫폼에 전송됨',
  waiting: '재시도 대기',
  suspended: '보류됨',
  applied: '적용됨',
  rejected: '거절됨',
  unknown: '결과 불명',
};
const facts: Readonly<Record<string, string>> = {
  status: '상태',
  period: '대여 기간',
  car: '차량',
  company: '렌터카 업체',
  service: '채널',
  productId: '상품 ID',
  createdAt: '예약 시각',
  driver: '운전자',
  companion: '동승 운전자',
  pickupAddress: '인도 장소',
  pickupMemo: '인도 메모',
  parkingMemo: '주차 메모',
  parkingImageUrl: '주차 사진 주소',
  parkingLotType: '주차장 유형',
  drivingStart: '운행 시작',
  drivingEnd: '운행 종료',
};
const marks: Readonly<Record<string, string>> = {
  ...kinds,
  adopted: '등록 콜백 없음',
  malformed: '형식 오류',
};

export function actionName(action: Action): string {
  return actions[action];
}
export function kindName(kind: AttentionKind): string {
  return `${kinds[kind]}(${kind})`;
}
export function named(code: number): string {
  return `${code}(${statuses[code] ?? '알 수 없음'})`;
}
export function pairs(list: readonly (readonly [number, number])[]): string {
  return list.map(([a, b]) => `${named(a)} – ${named(b)}`).join(', ');
}
export function carName({ id, number }: CarFact): string {
  return number === null ? `${id}` : `${id}(${number})`;
}
export function factName(name: string): string {
  return facts[name] ?? name;
}
/** `ambiguous:car`, `unknown-status:99`, `adopted`. */
export function markName(mark: string): string {
  const [kind = mark, about] = mark.split(':');
  const name = marks[kind] ?? kind;
  return about === undefined ? name : `${name} ${factName(about)}`;
}
