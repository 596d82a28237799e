import type { Translation } from '../../shared/message.js';
import type { holdEn } from './en.js';

export const holdKo: Readonly<Translation<typeof holdEn>> = {
  'hold.no-answer': () => '플랫폼이 응답하지 않았습니다. Handover가 요청의 결과를 확인합니다.',
  'hold.answer-unread': ({ why }, { sentence }) =>
    `응답을 읽을 수 없습니다(${sentence(why)}). Handover가 요청의 결과를 확인합니다.`,
  'hold.entry-unread': ({ why }, { sentence }) =>
    `차량 스케줄의 한 항목을 읽을 수 없으며, 이 사용 중지의 항목일 수 있습니다(${sentence(why)}).`,
  'hold.products-unread': ({ count, why }, { sentence }) =>
    `상품 ${count}개의 ID를 읽을 수 없어, 이 차량을 판매하고 있을 수 있습니다(${sentence(why)}). 와이어 프로필을 고치거나 플랫폼에서 확인하세요.`,
  'hold.schedule-unread': () => '플랫폼의 스케줄을 읽지 못했습니다. 플랫폼이 응답하는지 확인하세요.',
  'hold.is-reservation': () =>
    '예약의 스케줄 항목입니다(유형 R). 이 항목은 수정하거나 삭제할 수 없으며 예약과 함께 바뀝니다.',
  'hold.entry-gone': () =>
    '플랫폼에서 이 사용 중지의 스케줄 항목이 삭제되어 차량이 그 기간에 막혀 있지 않습니다. 사용 중지를 해제하고, 아직 필요하면 새로 만드세요.',
  'hold.entry-moved': () =>
    '플랫폼에서 이 사용 중지의 스케줄 항목이 옮겨졌습니다. 원하는 기간으로 변경하거나 해제하세요.',
  'hold.not-placed': () =>
    '플랫폼이 제때 스케줄 항목을 받지 않았습니다. 남아 있는 것은 없습니다. 새로 만드세요.',
  'hold.memo-missing': ({ why }, { sentence }) =>
    `사용 중지의 메모가 차량에 등록되지 않았습니다. ${sentence(why)}`,
  'hold.sale-not-withdrawn': ({ why }, { sentence }) =>
    `일부 상품에서 차량이 아직 판매 중입니다. ${sentence(why)}`,
  'hold.sale-not-restored': ({ why }, { sentence }) =>
    `일부 상품에서 판매 상태가 복원되지 않았습니다. ${sentence(why)}`,
  'hold.in-the-way': ({ first, more }) => {
    if (first === null) return '차량의 다른 스케줄 항목이 이 기간과 겹칩니다.';
    const others = more === 0 ? '' : ` 그 밖에 ${more}건이 더 있습니다.`;
    const { scheduleId, type, holdId } = first;
    const what =
      type === 'R'
        ? `이 기간에 차량이 예약되어 있습니다(스케줄 항목 ${scheduleId}, 유형 R). 예약의 항목은 수정하거나 삭제할 수 없습니다.`
        : holdId === null
          ? `이 기간에 차량의 다른 용도가 등록되어 있습니다(스케줄 항목 ${scheduleId}, 유형 S).`
          : `이 기간에 다른 사용 중지가 있습니다(스케줄 항목 ${scheduleId}, 사용 중지 ${holdId}).`;
    return `${what}${others} 다른 기간을 선택하세요. 가장 가까운 빈 기간이 표시됩니다.`;
  },
  'hold.released-before': () =>
    '사용 중지가 먼저 끝나 처리하지 않았습니다. 차량을 계속 막아야 하면 사용 중지를 새로 만드세요.',
  'hold.workflow-gone': ({ holdId }) =>
    `사용 중지의 워크플로가 없어 아무것도 사용 중지를 끝내지 않으며 기간이 계속 막혀 있습니다. 워크플로를 재설정하거나, 관리자가 사용 중지를 닫고 남아 있는 것으로 표시된 항목을 직접 제거하세요. 그 밖의 스케줄 항목과 메모에는 [hold ${holdId}]가 적혀 있습니다.`,
  'hold.workflow-ended': ({ holdId }) =>
    `사용 중지의 워크플로가 없어 ${holdId}를 계속할 수 없으며 아무것도 보내지 않았습니다. 관리자가 사용 중지를 닫을 수 있으며, 남아 있는 것은 해당 화면에 표시됩니다.`,
  'hold.resolved-without-workflow': ({ holdId }) =>
    `관리자가 워크플로 없이 이 사용 중지를 닫았으며, 플랫폼에서는 아무것도 바뀌지 않았습니다. 남아 있는 것으로 표시된 항목을 직접 제거하세요. 스케줄 항목을 삭제하고 상품에서 차량을 다시 판매 중(Y)으로 설정하세요. 차량의 스케줄과 메모에 [hold ${holdId}]가 있는지도 확인하세요. 워크플로를 더 이상 재설정하지 마세요.`,
  'hold.resolved-before': () => '이 요청의 결과가 기록되기 전에 사용 중지가 워크플로 없이 닫혔습니다.',

  'hold.period-over': () => '기간이 이미 지났습니다. 지금보다 늦은 종료를 선택하세요.',
  'hold.start-past': () => '시작이 15분보다 더 지났습니다. 지금 이후의 시작을 선택하세요.',
  'hold.end-past': () => '종료가 이미 지났습니다. 지금 끝내려면 사용 중지를 해제하세요.',
  'hold.period-reversed': () => '종료가 시작보다 늦지 않습니다. 더 늦은 종료를 선택하세요.',
  'hold.too-far': () => '종료가 너무 멉니다. 2년 이내로 선택하세요.',
  'hold.too-old': () =>
    '사용 중지가 끝난 지 7일 이상 지났으며, 플랫폼은 그렇게 오래된 스케줄 항목을 수정하지 않습니다(E012). 새로 만드세요.',
  'hold.over': () => '사용 중지가 끝났거나 해제되고 있습니다. 차량이 계속 막혀 있어야 하면 새로 만드세요.',
  'hold.is-over': () => '사용 중지가 끝났습니다. 차량이 계속 막혀 있어야 하면 새로 만드세요.',
  'hold.busy': () =>
    '사용 중지를 등록하거나 변경하는 중입니다. 끝난 뒤 다시 요청하거나 사용 중지를 해제하세요.',
  'hold.begun': () => '사용 중지가 이미 시작되어 시작 시각은 바꿀 수 없습니다. 종료 시각은 바꿀 수 있습니다.',
  'hold.not-stuck': () => '막혀 있는 단계가 없어 해결할 것이 없습니다.',
};
