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
  'refused.no-events': () =>
    '예약의 이벤트가 아직 오지 않았습니다. 첫 콜백을 기다리거나 콜백이 도착하는지 확인하세요.',
  'refused.closed': () => '예약이 종료되어 더 이상 처리할 수 없습니다.',
};

/** By the code of the platform, or of what went wrong; any other text is shown as it is. */
const platformTexts: Readonly<Record<string, readonly [wrong: string, action?: string]>> = {
  E011: ['스케줄 기간이 다른 항목과 겹칩니다', '다른 기간을 선택하세요.'],
  E012: ['스케줄 항목이 너무 오래되어 수정할 수 없습니다', '새로 만드세요.'],
  INVALID_REQUEST: ['플랫폼이 요청의 값을 거절했습니다', '요청을 고치세요.'],
  UNAUTHORIZED: ['플랫폼이 API 키를 거부합니다', '운영자가 키를 바로잡아야 합니다.'],
  FORBIDDEN: ['API 키에 권한이 없습니다', '운영자가 플랫폼에 권한을 요청해야 합니다.'],
  NOT_FOUND: ['플랫폼에 그런 대상이 없습니다', '예약, 상품, 차량 또는 스케줄 항목을 확인하세요.'],
  ILLEGAL_STATE: ['플랫폼의 상태가 다릅니다', '예약이나 스케줄 항목을 다시 확인한 뒤 결정하세요.'],
  NO_AVAILABILITY: ['그 기간에 가능한 차량이 없습니다', '다른 기간이나 상품을 선택하세요.'],
  PAYLOAD_TOO_LARGE: ['요청이 너무 큽니다', '더 작은 사진이나 더 짧은 글을 보내세요.'],
  RATE_LIMITED: [
    '플랫폼에 요청이 너무 많습니다',
    '처리된 것은 없습니다. 나중에 새 요청으로 다시 시도하세요.',
  ],
  REFUSED: ['플랫폼이 알려진 코드 없이 거절했습니다'],
  REDIRECTED: ['플랫폼이 다른 주소로 안내합니다', '운영자가 PLATFORM_BASE_URL을 바로잡아야 합니다.'],
  UNREACHABLE: ['플랫폼에 연결할 수 없습니다', '보낸 것은 없습니다. 나중에 새 요청으로 다시 시도하세요.'],
  NOT_STARTED: ['제때 시작한 워커가 없어 보내지 않았습니다'],
  ATTEMPT_EXPIRED: ['요청할 시간이 남지 않아 보내지 않았습니다'],
  ATTEMPT_NOT_RECORDED: ['데이터베이스가 요청을 기록하지 못해 보내지 않았습니다'],
  ROLE_SUSPENDED: ['플랫폼이 역할의 키를 거부하여 보내지 않았습니다'],
  BOOKING_NOT_KEPT: ['예약 요청을 제때 저장하지 못해 보내지 않았습니다'],
  BOOKING_NOT_SENT: ['예약 요청을 제때 보낸 워커가 없어 보내지 않았습니다'],
  BOOKING_NOT_MADE: ['관리자가 예약되지 않은 것으로 확정했습니다'],
};

export const outcomes: Readonly<Translation<typeof englishOutcomes>> = {
  'command.forbidden': () =>
    '키는 유효하지만 플랫폼이 이 예약에 이 작업을 허용하지 않습니다. 예약을 확인한 뒤 결정하세요. 필요하면 운영자가 플랫폼에 권한을 요청해야 합니다.',
  'platform.refused': ({ code, text }) => {
    if (code === null || !Object.hasOwn(platformTexts, code)) return text;
    const [wrong, action] = platformTexts[code] as readonly [string, string?];
    return [`${wrong}(${code}).`, ...(action === undefined ? [] : [action])].join(' ');
  },
};
