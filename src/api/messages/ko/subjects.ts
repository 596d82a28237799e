import type { Locale, Translation } from '../../../domain/shared/message.js';
import type { subjects as english, Hindrance, Shown } from '../en/subjects.js';

export const subjects: Readonly<Translation<typeof english>> = {
  'api.no-reservation': ({ reservationId }) =>
    `예약 ${reservationId}은(는) 알려지지 않았습니다. 도착한 이벤트가 없습니다. ID를 확인하세요.`,
  'api.callbacks-wait': () =>
    '예약이 아직 준비되지 않았습니다. 콜백이 저장되었으나 예약에 도달하지 않았습니다. 잠시 후 같은 요청을 다시 보내세요.',
  'api.callbacks-dead': () =>
    '예약이 받은 콜백이 없습니다. 모두 처리를 포기한 콜백입니다(GET /api/inbox?state=dead). 원인을 없앤 뒤 다시 처리하세요.',
  'api.reservation-ended': ({ code }) =>
    `예약이 종료되기 전에 워크플로가 끝났습니다(${code}). Temporal에서 리셋하거나, 관리자가 PUT /api/reservations/{id}로 다시 시작하세요.`,
  'api.car-not-known': () => '차량이 아직 알려지지 않았습니다. 나중에 다시 조회하세요.',
  'api.car-not-yet-shown': ({ status }) =>
    `예약의 현재 상태: ${status ?? '알려지지 않음'}. 차량은 15부터 표시됩니다.`,
  'api.car-no-longer-shown': ({ status }) =>
    `예약의 현재 상태: ${status}. 차량은 15부터 반납(30)까지 표시됩니다.`,
  'api.attention-closed': ({ kind }) =>
    `열려 있지 않은 확인 항목입니다: ${kind}. 예약에서 열린 항목을 확인하세요.`,
  'api.attention-claimed': () =>
    '다른 사람이 담당하는 항목입니다. 협의한 뒤 넘겨받으세요(API: `name`과 `from`을 보내세요).',
  'api.staff-unknown': () => '알 수 없는 이름입니다. `GET /api/staff`에 있는 이름을 사용하세요.',
  'api.photo-not-shown': () => '예약에 없는 사진입니다. 예약을 다시 조회하세요.',
  'api.photo-lost': () => '사진 저장소에서 사진이 없어졌습니다. BLOB_URL을 확인하세요.',
  'api.too-many-found': ({ count, most }) =>
    `예약과 예약 요청이 ${count}건 검색되었습니다. 한 번에 ${most}건까지 삭제할 수 있으며, 아무것도 삭제되지 않았습니다. 전화번호나 면허번호로 검색하거나, dryRun으로 목록을 확인한 뒤 ID로 삭제하세요.`,

  'api.no-booking': ({ commandId }) =>
    `Idempotency-Key가 ${commandId}인 예약 요청이 없습니다. 키를 확인하세요.`,
  'api.booking-not-made': () =>
    '예약되지 않았습니다. 응답이 없었고, 플랫폼에 예약이 없는 것을 사람이 확인했습니다. 새 Idempotency-Key로 다시 예약하세요.',
  'api.other-product': ({ other, productId }) =>
    `다른 상품의 예약입니다(예약: ${other}, 예약 요청: ${productId}). 예약 ID를 확인하세요.`,

  'api.no-hold': ({ isNumber }) => {
    const hint =
      '플랫폼의 스케줄 항목은 사용 중지가 아닙니다. 예약의 항목(유형 R)은 수정하거나 삭제할 수 없으며 예약과 함께 바뀝니다.';
    return `이 ID의 사용 중지가 없습니다. ID를 확인하세요.${isNumber ? ` ${hint}` : ''}`;
  },
  'api.hold-overlaps': ({ holdId, until }) =>
    `이 기간에 차량의 다른 사용 중지가 있습니다(${holdId}, ${until}까지). 그것을 변경하거나 해제하거나, 다른 기간을 선택하세요.`,
  'api.proposed-hold-over': ({ state }) =>
    `제안된 사용 중지가 끝났습니다(${state}). 차량을 계속 막아야 하면 새로 만드세요.`,
  'api.proposal-unknown': ({ reservationId }) =>
    `예약 ${reservationId}은(는) 알려지지 않았습니다. 제안 ID를 확인하세요.`,
  'api.proposal-gone': () =>
    '제안이 끝났습니다. 차량이 돌아왔거나 할 일이 끝났습니다. 아직 필요하면 사용 중지를 만드세요.',

  'api.no-car': ({ carId }) => `플랫폼에 이 회사의 차량 ${carId}이(가) 없습니다. 차량 ID를 확인하세요.`,
  'api.no-car-write': () => '이 명령 ID의 변경이 없습니다. ID를 확인하세요.',
  'api.no-product': ({ id }) => `플랫폼에 상품 ${id}이(가) 없습니다. 상품 ID를 확인하세요.`,
  'api.not-shown': ({ what, id }) =>
    `플랫폼에 없습니다(${id === null ? things[what] : `${things[what]} ${id}`}).`,
  'api.not-read': (why, locale) => `${reason(why, locale)} 그래서 조회하지 못했습니다.`,
  'api.platform-unreadable': (why, locale) => `${reason(why, locale)} 플랫폼의 응답을 읽을 수 없습니다.`,
  'api.platform-unavailable': (why, locale) =>
    `${reason(why, locale)} 보여 드릴 이전 응답이 없습니다. 나중에 다시 요청하세요.`,

  'api.no-callback': ({ id }) => `수신함에 콜백 ${id}이(가) 없습니다. GET /api/inbox에서 콜백을 확인하세요.`,
  'api.not-replayed': ({ id, why }) => `이벤트 ${id}을(를) 다시 읽을 수 없습니다. ${hindrances[why]}`,
  'api.no-finding': ({ id }) => `발견 항목 ${id}이(가) 없습니다. GET /api/findings에서 확인하세요.`,
  'api.finding-known': ({ id, reservationId }) =>
    `발견 항목 ${id}은(는) 이미 알려진 예약 ${reservationId}의 것입니다. undiscovered 유형만 등록할 수 있습니다.`,
  'api.finding-adopted': ({ id, reservationId }) =>
    `발견 항목 ${id}은(는) 예약 ${reservationId}(으)로 등록되었습니다. 더 등록할 것이 없습니다.`,
  'api.finding-adopted-twice': ({ id, other, reservationId }) =>
    `발견 항목 ${id}이(가) 동시에 예약 ${other}(으)로 등록되었습니다. 예약 ${reservationId}에도 같은 차량과 기간이 있습니다. 둘 다 확인하고 잘못된 쪽을 고치세요.`,
  'api.finding-gone': ({ id }) =>
    `발견 항목 ${id}은(는) 끝났습니다. 예약이 알려졌거나 스케줄 항목이 없어졌습니다. 더 등록할 것이 없습니다.`,
  'api.post-gone': ({ id }) =>
    `알림 ${id}은(는) 저장되어 있지 않습니다. 수신자가 받았거나 삭제되었습니다. GET /api/outbox를 확인하세요.`,
  'api.post-waits': ({ id }) => `알림 ${id}은(는) 대기 중이며 자동으로 다시 보냅니다. 할 일이 없습니다.`,
};

/** A failure of the platform's client has a sentence for people by its code; another is shown with its text. */
function reason(data: { code: string; text: string }, { sentence }: Locale): string {
  const known = sentence({ code: 'platform.refused', data });
  return known === data.text ? `플랫폼을 읽지 못했습니다(${data.code}): ${data.text}.` : known;
}

const things: Record<Shown, string> = { car: '차량', cars: '차량', product: '상품', 'fare plan': '요금제' };

const hindrances: Record<Hindrance, string> = {
  EVENT_ON_ITS_WAY:
    '아직 처리 중입니다. 상태가 done이나 dead가 되거나, 보낸 지 10분이 지나면 다시 요청하세요.',
  BODY_REMOVED: '보관 기간(INTAKE_RETENTION)이 지나 본문이 삭제되었습니다. 값을 직접 확정하세요.',
  CODEC_KEY_UNKNOWN: 'CODEC_KEYS에 그 키가 없습니다. 키를 다른 키들 뒤에 추가하세요.',
  CODEC_PAYLOAD_DAMAGED:
    '암호를 풀 수 없습니다. 행이 변경되었거나 CODEC_KEYS에 그 키 ID의 다른 키가 있습니다. 키를 고치거나 행을 복원하세요.',
};
