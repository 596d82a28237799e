import { useEffect, useState } from 'preact/hooks';
import { staffActions } from '../../src/domain/reservation/actions.js';
import type { Action } from '../api/types.js';
import { Dialog } from '../design/dialog.js';
import { Field } from '../design/field.js';
import { Plate } from '../design/mark.js';
import { Notice } from '../design/notice.js';
import { OutcomeNotice } from '../design/outcome.js';
import { readable } from '../design/time.js';
import { staffList } from '../state/staff.js';
import { useWrite, type Write } from '../state/write.js';
import { t, textOf } from '../texts/index.js';
import { noteStep } from './last-step.js';
import { phonePattern } from './phone.js';
import { recentStaff, rememberStaff } from './recent-staff.js';
import { isSameName } from './same-name.js';
import { sendAction } from './send-action.js';
import { useFollow } from './use-follow.js';

interface ActionDialogProps {
  reservationId: number;
  plate: string | null;
  action: Action;
  /** Why it needs an override; null: it is allowed. */
  refusal?: string | null;
  /** Of the button that opened the form. */
  write?: Write;
  onClose(): void;
}

/** The form of one action: its fields, its photo, and the reason where it needs an override. */
export function ActionDialog({
  reservationId,
  plate,
  action,
  refusal = null,
  write: given,
  onClose,
}: ActionDialogProps) {
  const own = useWrite();
  const write = given ?? own;
  useFollow(write, reservationId);
  const { is } = write.outcome.value;
  // its outcome is shown where the step is
  useEffect(() => {
    if (is === 'applied') onClose();
  }, [is]);
  useEffect(
    () => () => {
      const left = write.outcome.peek().is;
      // a refusal was read in the form
      if (left === 'rejected') write.reset();
      else if (left !== 'idle') noteStep(reservationId, { action, write });
    },
    [write],
  );
  const run = (form: HTMLFormElement) => {
    if (is === 'lost') {
      void write.repeat();
      return;
    }
    const data = new FormData(form);
    const photo = data.get('photo');
    const fields = Object.fromEntries(
      [...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
    rememberStaff(fields);
    const isFile = photo instanceof File && photo.size > 0;
    void sendAction(write, reservationId, action, {
      fields,
      override: refusal !== null,
      ...(isFile && { photo }),
    });
  };
  return (
    <Dialog
      title={textOf('action', action)}
      submit={{
        label:
          is === 'lost' ? t('outcome.again') : refusal === null ? t('action.send') : t('action.override'),
        isBusy: is === 'sending',
        isDone: is === 'open',
        run,
      }}
      onClose={onClose}
    >
      <p class="row">
        <Plate number={plate} /> <span class="soft">#{reservationId}</span>
      </p>
      {refusal !== null && (
        <Notice tone="warn" icon="attention">
          {readable(refusal)}
        </Notice>
      )}
      {/* without an answer the same request is sent again: its fields stay as they are */}
      <fieldset class="stack plain" disabled={is !== 'idle' && is !== 'rejected'}>
        <ActionFields action={action} />
        {refusal !== null && <ReasonField />}
      </fieldset>
      <OutcomeNotice write={write} />
    </Dialog>
  );
}

/** Why; stored with the user's name. */
export function ReasonField() {
  return (
    <Field label={t('reason')} hint={t('reason.hint')}>
      <textarea name="reason" required maxLength={500} />
    </Field>
  );
}

/** What the fields have at first. */
type Given = Record<string, string>;

/** The fields of an action's body (G13-G15). */
export function ActionFields({ action, given = {} }: { action: Action; given?: Given }) {
  const { fields, hasPhoto } = staffActions[action];
  return (
    <>
      {hasPhoto && <PhotoField />}
      {fields === 'staff' && <StaffFields given={given} />}
      {fields === 'parking' && (
        <>
          <Field label={t('field:parkingMemo')}>
            <input name="parkingMemo" maxLength={1000} defaultValue={given.parkingMemo ?? ''} />
          </Field>
          <Field label={t('field:parkingLotType')}>
            <select name="parkingLotType">
              {(['', '1', '0'] as const).map((value) => (
                <option key={value} value={value} selected={value === (given.parkingLotType ?? '')}>
                  {t(`field.parkingLotType:${value === '' ? 'none' : value}`)}
                </option>
              ))}
            </select>
          </Field>
        </>
      )}
      {fields === 'note' && (
        <Field label={t('field:note')} hint={t('field.note.hint')}>
          <textarea name="note" maxLength={1000} defaultValue={given.note ?? ''} />
        </Field>
      )}
    </>
  );
}

function PhotoField() {
  return (
    <Field label={t('field:photo')} hint={t('field.photo.hint')}>
      <input name="photo" type="file" accept="image/jpeg,image/png,image/webp" required />
    </Field>
  );
}

/** Name and phone: the names of those who log in are offered, and whom this session has assigned, with the phone. */
export function StaffFields({ given = {} }: { given?: Given }) {
  const [phone, setPhone] = useState(given.staffPhone ?? '');
  const known = recentStaff();
  const staff = staffList();
  // without an answer those of the session are offered
  useEffect(() => void staff.refresh(), [staff]);
  const members = staff.state.value.is === 'ready' ? staff.state.value.data : [];
  const names = new Set([...known, ...members].map(({ name }) => name));
  return (
    <>
      <Field label={t('field:staffName')}>
        <input
          name="staffName"
          required
          maxLength={100}
          autocomplete="off"
          list="known-staff"
          defaultValue={given.staffName ?? ''}
          onInput={({ currentTarget: { value } }) => {
            const found = known.find(({ name }) => isSameName(name, value));
            if (found !== undefined) setPhone(found.phone);
          }}
        />
      </Field>
      <datalist id="known-staff">
        {[...names].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Field label={t('field:staffPhone')} hint={t('field.staffPhone.hint')}>
        <input
          name="staffPhone"
          type="tel"
          required
          maxLength={40}
          pattern={phonePattern}
          title={t('field.staffPhone.hint')}
          autocomplete="off"
          value={phone}
          onInput={({ currentTarget: { value } }) => setPhone(value)}
        />
      </Field>
    </>
  );
}
