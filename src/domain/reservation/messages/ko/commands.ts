import type { Translation } from '../../../shared/message.js';
import type { Attempted, commands as english } from '../en/commands.js';
import { actionName, outcomes } from './names.js';

export const commands: Readonly<Translation<typeof english>> = {
  'command.requested': ({ action, by, overridden, skipped }) => {
    const override = overridden ? ' (강제 실행)' : '';
    const without =
      skipped.length === 0 ? '' : ` 건너뛴 단계: ${skipped.map((step) => actionName(step)).join(', ')}.`;
    return `${by} 님이 요청했습니다: ${actionName(action)}${override}.${without}`;
  },
  'command.attempted': (attempted, { time }) => {
    const { action, nextTryAt } = attempted;
    const again = nextTryAt === null ? '' : ` 다음 시도: ${time(nextTryAt)}.`;
    return `${actionName(action)}: ${meaning(attempted)}${again}`;
  },
  'command.given-up': ({ action, outcome, why }, { sentence }) => {
    const end =
      outcome === 'unknown' ? '다시 보내지 않으며, 플랫폼에 도달했을 수 있습니다.' : '보내지 않았습니다.';
    return `${actionName(action)}: ${end} ${sentence(why)}`;
  },
  'command.shown': ({ action }) => `${actionName(action)}: 적용되었음이 콜백으로 확인되었습니다.`,
  'command.resolved': ({ action, by, outcome }) =>
    `${by} 님이 결과를 확정했습니다: ${actionName(action)}, ${outcomes[outcome]}.`,
  'command.key-works': ({ action }) => `${actionName(action)}: 역할의 키가 다시 유효하여 지금 보냅니다.`,
  'command.time-over': () => '다시 시도할 수 있는 시간이 지났습니다.',
  note: ({ carId, outcome, memoId, code }) => {
    switch (outcome) {
      case 'pending':
        return `회수 메모가 대기 중입니다(${code}). 다시 시도합니다.`;
      case 'applied':
        return `회수 메모가 차량 ${carId}의 메모 ${memoId}번으로 등록되었습니다.`;
      case 'rejected':
        return `회수 메모를 차량 ${carId ?? '(알 수 없음)'}의 메모로 등록하지 못했습니다(${code}).`;
      case 'unknown':
        return `회수 메모가 차량 ${carId}의 메모로 등록되었는지 알 수 없습니다(${code}).`;
    }
  },
};

function meaning({ end, code, doubtful, attempt }: Attempted): string {
  const why = code === null ? '' : `(${code})`;
  const earlier = doubtful ? ' 이전 시도가 플랫폼에 도달했을 수 있습니다.' : '';
  switch (end) {
    case 'applied':
      return `적용되었습니다${why}.`;
    case 'unreadable':
      return `적용되었으나 응답을 읽을 수 없습니다${why}.`;
    case 'rejected':
      return `플랫폼이 거절했습니다${why}.`;
    case 'refused-late':
      return `플랫폼에 도달했을 수 있는 시도 뒤에 거절되었습니다${why}. 다시 보내지 않습니다.`;
    case 'not-sent':
      return `Handover가 보내지 않았습니다${why}.${earlier}`;
    case 'not-accepted':
      return `플랫폼이 받지 않았습니다${why}.${earlier}`;
    case 'forbidden':
      return `키는 유효하지만 허용되지 않습니다${why}.${earlier}`;
    case 'no-key':
      return `역할의 키가 유효하지 않습니다${why}. 키가 유효해지면 계속합니다.${earlier}`;
    default:
      return `${attempt}번째 시도의 결과를 알 수 없습니다${why}. 플랫폼에 도달했을 수 있습니다.${whyNotAgain[end]}`;
  }
}
const whyNotAgain = {
  unknown: '',
  'unknown-once': ' 요청당 한 번만 보냅니다.',
  'unknown-too-late': ' 다시 보낼 시간이 남아 있지 않습니다.',
} as const;
