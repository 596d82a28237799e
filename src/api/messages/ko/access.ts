import type { Translation } from '../../../domain/shared/message.js';
import type { access as english } from '../en/access.js';

export const access: Readonly<Translation<typeof english>> = {
  'api.token-missing': () => '요청에 토큰이 없습니다. `Authorization: Bearer <token>` 헤더를 보내세요.',
  'api.token-unknown': () => '알 수 없는 토큰입니다. HANDOVER_TOKENS에 있는 토큰을 사용하세요.',
  'api.refused-tokens': ({ most }) =>
    `이 주소에서 거부된 토큰을 1분 안에 ${most}번 보냈습니다. HANDOVER_TOKENS에 있는 토큰을 보내세요.`,
  'api.session-ended': () => '로그인이 만료되었습니다. 다시 로그인하세요.',
  'api.write-from-elsewhere': () =>
    '다른 곳에서 온 변경 요청입니다. 이 서버의 주소에서 콘솔을 열거나 `Authorization: Bearer <token>`을 보내세요.',
  'api.from-elsewhere': () => '다른 곳에서 온 요청입니다. 이 서버의 주소에서 콘솔을 여세요.',
  'api.role-too-low': ({ needed, role }) =>
    `역할의 권한이 부족합니다. 필요한 토큰: ${needed}, 보낸 토큰: ${role}. 필요한 역할의 토큰을 사용하세요.`,
  'api.role-off': ({ role, variable }) =>
    `${role} 역할의 키가 설정되지 않았습니다. ${variable}을(를) 설정하세요.`,

  'api.too-many-streams': () =>
    '열려 있는 페이지가 너무 많습니다. 콘솔의 다른 페이지를 닫거나 나중에 다시 시도하세요.',
  'api.lists-not-ready': () =>
    '목록이 아직 완성되지 않았습니다. 업데이트 후 워커가 작성하는 중입니다. 다시 요청하세요. 개별 예약은 조회할 수 있습니다.',
  'api.store-silent': () => '데이터베이스가 응답하지 않았습니다. 다시 요청하세요.',
  'api.photo-store-silent': () =>
    '사진 저장소가 응답하지 않았습니다. 플랫폼에는 아무것도 전송되지 않았습니다. 다시 요청하세요.',
  'api.not-ready': ({ failing }) => `응답하지 않는 부분이 있습니다(${failing.join(', ')}).`,
  'api.internal': () => 'Handover에 내부 오류가 있습니다. 로그를 확인하세요.',
  'api.engine-silent': ({ code }) =>
    `${whyUnavailable[code] ?? '제때 응답이 오지 않았습니다.'} 다시 요청하세요. Idempotency-Key가 같은 변경은 한 번만 실행됩니다.`,
};

const noAnswer = '워크플로가 응답하지 않습니다. 운영자가 워커의 경고와 로그에서 원인을 찾을 수 있습니다.';
const whyUnavailable: Record<string, string> = {
  NOT_CONNECTED: 'Temporal에 연결되어 있지 않아 아무것도 보내지 않았습니다.',
  FAILED_PRECONDITION: noAnswer,
  QUERY_FAILED: noAnswer,
  QUERY_REJECTED: '워크플로가 Temporal에서 일시 중지되었습니다. 운영자가 그곳에서 다시 시작해야 합니다.',
};
