import { useEffect, useState } from 'preact/hooks';
import { staffActions } from '../../src/domain/reservation/actions.js';
import type { Action } from '../api/types.js';
import { Field } from '../design/field.js';
import { staffList } from '../state/staff.js';
import { t } from '../texts/index.js';
import { phonePattern } from './phone.js';
import { recentStaff } from './recent-staff.js';
import { isSameName } from './same-name.js';

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
