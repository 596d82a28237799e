import { useEffect, useState } from 'preact/hooks';
import { addressOf } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import type { Reservation } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Mark } from '../../design/mark.js';
import { Panel } from '../../design/panel.js';
import { may } from '../../state/session.js';
import type { Text } from '../../texts/index.js';
import { t } from '../../texts/index.js';
import { EvidenceMark } from './evidence.js';

type Photo = NonNullable<Reservation['dispatch']['carImage']>;

/** The photos of handover and return, side by side. A photo is loaded when it is requested: each display is audited. */
export function Photos({ reservation: { reservationId, dispatch, recall } }: { reservation: Reservation }) {
  const photos: [Text, Photo | null][] = [
    ['photo.parking', dispatch.parkingImage],
    ['photo.handover', dispatch.carImage],
    ['photo.return', recall.carImage],
  ];
  if (photos.every(([, photo]) => photo === null)) return null;
  return (
    <Panel title={t('photo.title')} icon="photo">
      <div class="photos">
        {photos.map(([text, photo]) => (
          <figure key={text}>
            <figcaption class="row wrap">
              <strong>{t(text)}</strong>
              {photo?.outdated && (
                <Mark icon="attention" tone="warn">
                  {t('photo.outdated')}
                </Mark>
              )}
            </figcaption>
            {photo === null ? (
              <p class="frame soft">{t('photo.none')}</p>
            ) : (
              <StoredPhoto reservationId={reservationId} photo={photo} alt={t(text)} />
            )}
            {photo !== null && (
              <span class="small soft">
                <EvidenceMark of={photo} />
              </span>
            )}
          </figure>
        ))}
      </div>
    </Panel>
  );
}

function StoredPhoto({ reservationId, photo, alt }: { reservationId: number; photo: Photo; alt: string }) {
  const [state, setState] = useState<'closed' | 'open' | 'failed'>('closed');
  const { hash } = photo;
  // another photo is shown on request, too
  useEffect(() => setState('closed'), [hash]);
  if (hash === null || !may('staff')) return <p class="frame soft">{t('hidden.viewer')}</p>;
  if (state !== 'open')
    return (
      <div class="frame soft">
        {state === 'failed' && t('photo.failed')}
        <Button icon="photo" shortcut="v" onClick={() => setState('open')}>
          {t(state === 'failed' ? 'retry' : 'button.show')}
        </Button>
      </div>
    );
  const address = addressOf(endpoints.photo, { params: { id: reservationId, hash } });
  return (
    <a class="frame" href={address} target="_blank" rel="noreferrer">
      <img src={address} alt={alt} onError={() => setState('failed')} />
    </a>
  );
}
