import type { Translation } from '../../../domain/shared/message.js';
import { joinLines } from '../en/fields.js';
import type { requests as english } from '../en/requests.js';

export const requests: Readonly<Translation<typeof english>> = {
  'api.no-path': ({ docs }) =>
    `없는 경로입니다. 있는 경로는 ${docs ? '/docs에서' : '프로젝트의 docs/에서'} 볼 수 있습니다.`,
  'api.no-callbacks-here': () => '이 포트는 콜백을 받지 않습니다. CALLBACK_PORT에 설정된 포트로 보내세요.',
  'api.no-console': () => '이 빌드에는 콘솔이 없습니다. npm run build로 빌드하세요.',
  'api.method': ({ method, allow }) => `이 경로는 ${method}을(를) 받지 않습니다. ${allow}을(를) 보내세요.`,
  'api.bad-escape': () => '경로의 퍼센트 인코딩이 잘못되었습니다. 경로를 퍼센트 인코딩하세요.',
  'api.id-too-long': () => '경로의 ID가 너무 깁니다. 256자 이하로 보내세요.',
  'api.unreadable': () => '요청을 읽을 수 없습니다. 형식을 확인한 뒤 다시 보내세요.',

  'api.body-incomplete': () => '본문이 완전하지 않습니다. 길이가 Content-Length와 다릅니다. 다시 보내세요.',
  'api.body-too-large': () => '본문이 너무 큽니다. JSON을 64KiB 이하로 보내세요.',
  'api.content-type': () => '받지 않는 콘텐츠 유형입니다. `application/json`을 보내세요.',
  'api.not-json': () => '본문이 JSON이 아닙니다. JSON 문서 하나를 보내세요.',
  'api.fields': ({ lines }, locale) => `다음 값을 고치세요. ${joinLines(lines, locale)}`,
  'api.filter-of-open': ({ fields }) =>
    `다음 필터는 closed=false와 함께 보내거나 빼야 합니다(${fields.join(', ')}).`,
  'api.period-reversed': ({ start, end }) => `${end}: ${start}보다 늦은 시각이어야 합니다.`,
  'api.cursor': () =>
    '알 수 없는 커서입니다. 같은 조회의 이전 응답에 있는 nextCursor를 보내거나 커서 없이 보내세요.',
  'api.key-of-proposal': () => '제안된 사용 중지의 Idempotency-Key입니다. UUID와 같은 다른 키를 보내세요.',

  'api.not-a-form': () =>
    '본문이 폼이 아닙니다. 사진을 파일 필드 `image`에 담아 `multipart/form-data`로 보내세요.',
  'api.several-files': () => '폼에 파일이 여러 개 있습니다. 사진 하나를 필드 `image`에 담아 보내세요.',
  'api.too-many-fields': () => '폼에 필드가 너무 많습니다. 작업에 필요한 필드만 보내세요.',
  'api.too-many-parts': () => '폼에 항목이 너무 많습니다. 작업에 필요한 항목만 보내세요.',
  'api.forbidden-field': () => '폼에 허용되지 않는 이름의 필드가 있습니다. 작업에 필요한 필드만 보내세요.',
  'api.photo-missing': () => '사진이 없습니다. 폼의 파일 필드 `image`에 담아 보내세요.',
  'api.photo-too-large': () => '사진이 너무 큽니다. 10MiB 이하로 보내세요.',
  'api.photo-pixels': () => '사진의 픽셀이 너무 많습니다. 5천만 픽셀 이하로 보내세요.',
  'api.photo-type': () => '받지 않는 사진 형식입니다. JPEG, PNG 또는 WebP 파일을 보내세요.',
};
