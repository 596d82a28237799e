import type { Role } from '../../../contract/role.js';
import type { Translation } from '../../../domain/shared/message.js';
import type { alertEn, Failing } from './en.js';
import { keyVariable, runbook } from './names.js';

export const alertKo: Readonly<Translation<typeof alertEn>> = {
  'alert.role-suspended': ({ role, code, reads }) => {
    const what = reads
      ? `플랫폼이 이 Handover의 ${role} 키로 조회는 허용하지만 작업은 거부합니다`
      : `플랫폼이 이 Handover의 ${role} 키를 거부합니다`;
    return `${what}(${code}, L30). 키가 유효해질 때까지 ${held[role]}. 플랫폼에 키를 확인하세요. 키가 바뀌었으면 ${keyVariable[role]} 값을 설정하고 다시 시작하세요. 키는 자동으로 다시 시도하며, 유효해지면 대기 중인 요청을 계속 처리합니다.`;
  },
  'alert.intake-silent': ({ afterMs }) =>
    `${spanOf(afterMs)} 이상 콜백이 오지 않았습니다. 보내는 쪽(플랫폼 또는 콜백을 전달하는 다른 Handover)에서 이 주소로 계속 보내고 있는지, 콜백이 거부되고 있지 않은지(/metrics의 handover_callbacks_total) 확인하세요.`,
  'alert.intake-backlog': ({ afterMs }) =>
    `저장된 콜백이 ${spanOf(afterMs)} 이상 예약에 전달되지 못하고 대기하고 있습니다. 잃어버린 것은 없고 콜백 수신도 계속되지만, 화면의 내용은 최신이 아닙니다. Temporal이 응답하는지, 워커가 동작하는지 확인하세요(/readyz, 워커의 로그). 둘 다 정상이면 워커의 처리가 콜백이 들어오는 속도보다 느린 것입니다. 워커에 CPU를 더 할당하거나 워커를 하나 더 시작하세요.`,
  'alert.intake-unjudged': ({ afterMs }) =>
    `예약에 보낸 지 ${spanOf(afterMs)} 이상 지난 콜백에 판정이 없습니다. 각 콜백은 10분 뒤에 다시 보내고 그 뒤에는 간격을 점점 늘려 다시 보내므로 잃어버리지 않습니다. 워커가 동작하며 데이터베이스에 쓸 수 있는지 확인하세요. Temporal을 복원했거나 장애 조치한 경우에는 저절로 해결됩니다. GET /api/inbox?state=sent에서 목록을 볼 수 있습니다.`,
  'alert.intake-dead-letters': () =>
    '예약에 전달할 수 없어 처리를 포기한 콜백이 있습니다. GET /api/inbox?state=dead에서 이유와 함께 볼 수 있습니다. 원인을 고친 뒤 다시 처리하세요.',
  'alert.outbox-dead-letters': ({ destination }) => {
    const [what, address] =
      destination === 'alerts' ? ['경고가', 'ALERT_URL'] : ['수락한 콜백이', 'FORWARD_URL'];
    return `${address}에서 10분 이상 거부되어 전송을 포기한 ${what} 있습니다. 이후의 것은 전송됩니다. GET /api/outbox?state=dead에서 거부 코드와 함께 볼 수 있습니다. 받는 쪽에서 원인을 없앤 뒤 POST /api/outbox/resend를 호출하세요.`;
  },
  'alert.forward-stuck': ({ afterMs, retentionMs }) =>
    `수락한 콜백이 ${spanOf(afterMs)} 이상 FORWARD_URL에서 받아들여지지 않아 대기하고 있습니다. 공급자의 Handover가 콜백을 받지 못합니다. 아직 잃어버린 것은 없지만 ${Math.round(retentionMs / 86_400_000)}일 동안 대기한 것은 버려집니다. 상대 Handover가 동작하는지, 그 CALLBACK_SECRETS에 이 Handover의 FORWARD_SECRET이 있는지, 여기의 모든 워커에 FORWARD_URL이 있는지 확인하세요. 마지막 응답의 코드는 워커의 로그에 있습니다.`,
  'alert.booking-unknown': ({ code, why }) => {
    const what = why === null ? `응답을 받지 못했고(${code})` : `응답을 읽을 수 없고(${why})`;
    return `예약 요청의 결과를 알 수 없습니다. ${what}, 결과를 보여 주는 콜백도 없습니다. 플랫폼이 예약했을 수도 있고 아닐 수도 있습니다. 다시 보내지 않습니다. GET /api/bookings/{commandId}에서 요청을 볼 수 있습니다. 플랫폼 웹 사이트를 확인하고 적용됨 또는 거절됨으로 확정하세요. 제때 콜백이 오면 자동으로 확정됩니다.`;
  },
  'alert.booking-ambiguous': () =>
    '예약 요청의 결과를 알 수 없습니다. 응답을 받지 못했고, 콜백과 일치하는 예약이나 예약 요청이 둘 이상입니다. GET /api/bookings/{commandId}에서 예약 목록을 볼 수 있습니다. 플랫폼에서 비교한 뒤, 이 요청으로 만들어진 예약을 지정하거나 거절됨으로 확정하세요.',
  'alert.hold-stuck': ({ holdId, carId, attention }) =>
    `사용 중지가 막혀 있습니다: 차량 ${carId}의 ${holdId}(${attention.join(', ')}). GET /api/holds/${holdId}에서 무엇이 실패하고 무엇이 남아 있는지 볼 수 있습니다. 자동으로 다시 시도합니다. 해제하는 중이라면 다시 해제하여 바로 재시도할 수 있습니다. 또는 관리자가 현재 상태를 확정할 수 있습니다(POST /api/holds/${holdId}/resolve).`,
  'alert.hold-without-workflow': ({ holdId, carId }) =>
    `사용 중지의 워크플로가 없습니다: 차량 ${carId}의 ${holdId}(강제 종료되었거나, 실패했거나, Temporal에 더 이상 없음). 어떤 워커도 이 사용 중지를 계속 처리하지 않으며 기간이 막혀 있습니다. GET /api/holds/${holdId}에서 무엇이 남아 있는지 볼 수 있습니다. Temporal에 워크플로가 있는 동안 재설정하거나, 관리자에게 사용 중지를 닫도록 하고(POST /api/holds/${holdId}/resolve) 플랫폼에 남은 것을 직접 제거하세요.`,
  'alert.undiscovered-reservations': ({ count }) =>
    `플랫폼의 스케줄에 알 수 없는 예약이 있습니다(${count}건). 각각을 플랫폼 웹 사이트에서 찾아 등록하세요(GET /api/findings?kind=undiscovered, POST /api/findings/{id}/adopt). 콜백을 받고 있다면 누락된 콜백이 있는지 찾아보세요.`,
  'alert.reconciliation-stuck': ({ code }) => {
    const what = code === 'NOT_OVER' ? '대사가 제때 끝나지 않았습니다' : `대사가 실패했습니다(${code})`;
    return `${what}. 그동안 알 수 없는 예약과 누락된 변경을 찾지 못합니다. 원인은 Temporal에서 볼 수 있습니다(워크플로 유형 reconciliation의 대기 중인 액티비티 또는 실패). handover doctor는 GET /schedule을 읽고 맞지 않는 것을 알려 줍니다. 다음 대사가 성공하면 이 경고는 해제됩니다.`;
  },
  'alert.workflow-stuck': (failing) =>
    `막힌 워크플로가 있습니다(${countOf(failing)}). 태스크가 두 번 이상 실패했습니다: ${named(failing)}. Temporal이 태스크를 반복하므로 잃어버리는 것은 없지만, 그동안 워크플로는 아무것도 하지 않습니다. 원인은 워커의 로그와 Temporal UI에 있습니다. 강제 종료하거나 재설정하지 마세요. 런북: ${runbook('workflow-stuck')}.`,
  'alert.non-determinism': (failing) =>
    `이 릴리스에서 재생할 수 없는 이력이 있습니다(${countOf(failing)}): ${named(failing)}. 이력을 기록한 릴리스와 똑같이 결정하는 릴리스가 실행될 때까지 태스크가 실패합니다. 이전 릴리스로 되돌리세요. 이전 릴리스가 각 워크플로를 멈춘 곳에서 계속합니다. 런북: ${runbook('non-determinism')}.`,
  'alert.tasks-late': ({ queue, percent }) =>
    `워크플로 태스크가 워커를 기다리고 있습니다. 최근 5분 동안 큐 ${queue}의 태스크 중 ${percent} %가 1초보다 오래 기다렸습니다. 콜백과 작업이 늦게 반영됩니다. 워커에 CPU를 더 할당하거나 워커를 하나 더 시작하세요. 런북: ${runbook('tasks-late')}.`,
  'alert.activities-late': ({ queue, percent }) =>
    `요청과 데이터베이스 작업이 워커를 기다리고 있습니다. 최근 5분 동안 큐 ${queue}의 액티비티 중 ${percent} %가 1초보다 오래 기다렸습니다. 작업과 예약 요청의 응답이 늦어지거나 제때 전송되지 않습니다. 느린 원인(플랫폼, 데이터베이스)을 없애거나, 플랫폼이 허용하면 PLATFORM_RATE를 올리거나, 워커를 하나 더 시작하세요. 런북: ${runbook('tasks-late')}.`,
  'alert.slots-exhausted': ({ queue, kind }) =>
    `워커에 2분 동안 빈 슬롯이 없었습니다(큐 ${queue}의 ${kind}). 다음 태스크는 기다립니다. 느린 원인(플랫폼, 데이터베이스)을 없애거나 워커를 하나 더 시작하세요. 런북: ${runbook('slots-exhausted')}.`,
  'alert.personal-data-overdue': ({ count }) =>
    `개인정보 파기가 하루 넘게 지연되고 있습니다: 예약, 예약 요청, 사용 중지 ${count}건. 아직 열려 있는 건에 속해 있거나 파기가 실패하고 있습니다. 열려 있는 것을 종료하거나 확정하세요. 또는 워커의 로그에 적힌 원인을 없애세요. 런북: ${runbook('personal-data-overdue')}.`,
};

const held: Readonly<Record<Role, string>> = {
  channel: '예약 요청을 보내지 않습니다',
  supplier: '배차와 회수 작업을 보내지 않습니다',
};

function spanOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes}분` : `${Math.round(minutes / 60)}시간`;
}

const countOf = ({ first, more, isAtLeast }: Failing) =>
  `${first.length + more}개${isAtLeast ? ' 이상' : ''}`;

function named({ first, areTypes, more, isAtLeast }: Failing): string {
  const names = first.map((name) => (areTypes ? `유형 ${name}의 워크플로` : name)).join(', ');
  return more === 0 ? names : `${names} 외 ${isAtLeast ? '최소 ' : ''}${more}개`;
}
