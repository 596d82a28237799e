import type { Locale, Translation } from '../../../shared/message.js';
import type { Instant } from '../../../shared/time.js';
import type { attention as english } from '../en/attention.js';
import { factName, kindName, pairs } from './names.js';

export const attention: Readonly<Translation<typeof english>> = {
  'item.raised': ({ kind, since, again }, { time }) =>
    `${again ? '여전히 확인이' : '확인이'} 필요합니다: ${kindName(kind)}, ${time(since)}부터.`,
  'item.cleared': ({ kind }) => `더 이상 확인이 필요하지 않습니다: ${kindName(kind)}.`,
  'item.resolved': ({ kind, by }) => `${by} 님이 해결했습니다: ${kindName(kind)}.`,
  'item.left-open': ({ kind }) =>
    `이 항목이 해결되지 않은 채 종료되었습니다: ${kindName(kind)}. 종료 기록에 남아 있습니다.`,

  'attention.terminal-contradiction': (data) =>
    `보고된 종료 상태가 다른 상태와 모순됩니다: ${pairs(data.pairs)}. 기록된 종료 상태를 유지합니다. 고객에게 전화하여 차량의 위치를 확인하세요.`,
  'attention.conflict': (data) =>
    `보고된 상태가 서로 모순됩니다. 한 예약이 둘 다 거칠 수 없는 상태입니다: ${pairs(data.pairs)}. 플랫폼 웹 사이트를 확인하세요. 관리자가 올바른 상태를 확정할 수 있습니다.`,
  'attention.unknown-status': ({ codes }) =>
    `알 수 없는 상태가 보고되었습니다: ${codes.join(', ')}. 플랫폼 웹 사이트에서 예약을 확인하세요.`,
  'attention.ambiguous': ({ facts }) =>
    `서로 다른 값이 보고되어 어느 것이 최신인지 알 수 없습니다: ${facts.map(factName).join(', ')}. 플랫폼 웹 사이트를 확인하세요. 관리자가 올바른 값을 확정할 수 있습니다.`,
  'attention.schedule-missing': ({ carId, start }, { time }) =>
    `스케줄에 이 예약이 없습니다(차량 ${carId ?? '알 수 없음'}, 시작 ${at(start, time)}). 취소되었거나 옮겨졌을 수 있습니다. 플랫폼 웹 사이트를 확인하세요.`,
  'attention.schedule-differs': ({ entry }, { time }) => {
    const has =
      entry === null
        ? '없음'
        : `차량 ${entry.carId}, ${time(entry.start)} – ${time(entry.end)}(스케줄 ${entry.scheduleId})`;
    return `플랫폼의 스케줄이 다릅니다: ${has}. 변경 콜백이 누락되었을 수 있습니다. 플랫폼 웹 사이트를 확인하세요.`;
  },
  'attention.incomplete': ({ facts, booked }) => {
    const silence = booked
      ? '플랫폼이 예약을 수락했으나 등록 콜백이 오지 않았습니다.'
      : '등록 콜백과 변경 콜백이 보고하지 않았습니다.';
    return `정보가 부족합니다: ${facts.map(factName).join(', ')}. ${silence} 플랫폼 웹 사이트에서 예약을 찾으세요.`;
  },
  'attention.odd-period': () =>
    '대여 기간이 올바르지 않습니다. 시작 전에 끝나거나 예약하기 전에 시작합니다. 고객에게 확인하세요.',
  'attention.spec-violation': () => '등록 콜백의 상태가 잘못되었습니다(5가 아님). 플랫폼 지원팀에 알리세요.',
  'attention.dispatch-not-started': ({ start }, { time }) =>
    `배차가 출발하지 않았습니다. 대여 시작: ${at(start, time)}. 기사를 차량과 함께 보내세요.`,
  'attention.handover-late': ({ start }, { time }) =>
    `인도가 늦어지고 있습니다. 대여 시작: ${at(start, time)}. 이동 중인 기사와 고객에게 전화하세요.`,
  'attention.callback-overdue': ({ end }, { time }) =>
    `대여가 끝날 때까지(${at(end, time)}) 이용 보고가 없었고, 노쇼 취소도 오지 않았습니다. 플랫폼 웹 사이트를 확인하고 차량의 위치를 파악하세요.`,
  'attention.return-late': ({ end }, { time }) =>
    end === null
      ? '플랫폼의 보고에 따르면 차량 반납이 늦어지고 있습니다. 고객에게 전화하세요.'
      : `차량이 반납되지 않았습니다. 반납 예정: ${time(end)}. 고객에게 전화하세요.`,
  'attention.recall-overdue': () =>
    '차량이 반납된 지 오래되었으나 회수가 완료되지 않았습니다. 기사를 보내 차량을 확인하세요.',
  'attention.not-announced': () =>
    '수락된 작업의 콜백이 오지 않았습니다. 플랫폼 웹 사이트에서 예약과 콜백 주소를 확인하세요.',
  'attention.command-unknown': () =>
    '작업의 결과를 알 수 없습니다. 플랫폼에 도달했을 수 있습니다. 플랫폼 웹 사이트를 확인하고, 명령의 결과를 적용됨 또는 거절됨으로 확정하세요.',
  'attention.note-not-kept': () =>
    '회수 메모가 누락되었을 수 있습니다. 차량의 메모를 확인하고, 없으면 직접 등록한 뒤 이 항목을 해결하세요.',
  'attention.retrieve-car': ({ cancelled }) =>
    cancelled
      ? '차량을 회수해야 합니다. 차량이 이동 중이거나 인도된 뒤에 예약이 취소되었습니다. 차량을 가져온 뒤 이 항목을 해결하세요.'
      : '예약이 취소되었으나 차량이 이동 중일 수 있습니다. 기사에게 확인하고, 차량을 가져온 뒤 이 항목을 해결하세요.',
};

function at(instant: Instant | null, time: Locale['time']): string {
  return instant === null ? '알 수 없음' : time(instant);
}
