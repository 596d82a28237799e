import type { Translation } from '../../../shared/message.js';
import type { notAllowed as englishNotAllowed } from '../en/not-allowed.js';
import type { outcomes as englishOutcomes, refusals as englishRefusals } from '../en/refusals.js';
import { actionName, kindName, named, outcomes as outcomeNames } from './names.js';

export const notAllowed: Readonly<Translation<typeof englishNotAllowed>> = {
  'refused.role-off': ({ action }) =>
    `공급자 키가 설정되지 않아 여기서는 이 작업을 할 수 없습니다: ${actionName(action)}. 운영자가 PLATFORM_SUPPLIER_API_KEY를 설정해야 합니다.`,
  'refused.terminal': ({ action, status }) =>
    `예약이 ${named(status)} 상태로 끝나 이 작업을 하기에는 늦었습니다: ${actionName(action)}.`,
  'refused.past': ({ action, status }) =>
    `이 작업을 하기에는 늦었습니다: ${actionName(action)}. 예약이 이미 ${named(status)} 상태입니다. 예약의 현재 상태를 확인하세요.`,
  'refused.behind': ({ action, status, allowed }) => {
    const here =
      status === null ? '아직 알려진 상태가 없습니다.' : `현재 ${named(status)} 상태로 파악됩니다.`;
    return `이 작업을 하기에는 이릅니다: ${actionName(action)}. ${here} 필요한 상태: ${allowed.map(named).join(' 또는 ')}. 콜백이 누락되었을 수 있습니다. 사유를 적어 강제로 실행하면 플랫폼이 판단합니다.`;
  },
};

export const refusals: Readonly<Translation<typeof englishRefusals>> = {
  'refused.key-reused': () =>
    '이 Idempotency-Key는 이미 다른 요청에 사용되었습니다. 새 요청에는 새 키를 보내세요.',
  'refused.photo-missing': ({ action }) => `사진이 없습니다. 사진을 첨부하세요: ${actionName(action)}.`,
  'refused.out-of-order': ({ action, missing }) =>
    `권장 단계가 빠졌습니다: ${missing.map((step) => actionName(step)).join(', ')}. 먼저 실행하거나, 사유를 적어 강제로 실행하세요. 요청한 작업: ${actionName(action)}.`,
  'refused.command-not-found': () => '이 예약에 없는 명령 ID입니다. 예약에서 명령을 확인하세요.',
  'refused.command-settled': ({ outcome }) =>
    outcome === 'applied' || outcome === 'rejected'
      ? `결과가 이미 알려져 있습니다: ${outcomeNames[outcome]}. 확정할 것이 없습니다.`
      : `명령이 아직 진행 중입니다(${outcomeNames[outcome]}). 결과를 기다리세요. 결과 불명인 명령만 확정할 수 있습니다.`,
  'refused.period-incomplete': () => '대여 기간이 아직 알려지지 않았습니다. 시작과 종료를 모두 입력하세요.',
  'refused.period-reversed': () => '종료가 시작보다 빠릅니다. 시작보다 늦은 종료를 입력하세요.',
  'refused.nothing-asserted': () =>
    '확정할 값이 없습니다. 상태(알려진 코드), 차량, 시작, 종료 중 하나 이상을 입력하세요.',
  'refused.attention-not-found': ({ kind }) =>
    `열려 있지 않은 확인 항목입니다: ${kindName(kind)}. 예약에서 열린 항목을 확인하세요.`,
  'refused.timeline-waits': () =>
    '데이터베이스가 이 예약의 타임라인을 받지 않습니다. 데이터베이스가 응답하면 작업을 다시 보내세요.',
  'refused.too-many-open': () =>
    '이 예약에 진행 중인 작업이 너무 많습니다. 결과를 기다리거나 결과 불명인 작업을 확정한 뒤에 보내세요.',
  'refused.no-events': () => '예약의 이벤트가 아직 오지 않았습니다.',
  'refused.closed': () => '예약이 종료되어 더 이상 처리할 수 없습니다.',
};

export const outcomes: Readonly<Translation<typeof englishOutcomes>> = {
  'command.forbidden': () => '키는 유효하지만 플랫폼이 이 예약에 이 작업을 허용하지 않습니다.',
};
