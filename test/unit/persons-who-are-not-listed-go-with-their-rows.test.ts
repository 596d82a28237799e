import { expect, it } from 'vitest';
import { joinRows, notIn } from '../../workflows/reservation/unstored-rows.js';
import { openRow } from '../support/open-rows.js';

const kim = { name: 'Kim', phone: '01011112222', licenseNumber: '11-22-333333-44' };
const lee = { name: 'Lee', phone: null, licenseNumber: null };
const { private: shown } = openRow();
const row = openRow({
  private: {
    ...shown,
    drivers: ['Kim', 'Lee'],
    contacts: [{ phone: kim.phone, licenseNumber: kim.licenseNumber }],
  },
});

it('L60: those whom the row has are not sent again, one with another telephone is, each once', () => {
  expect(notIn(row, [kim, lee])).toEqual([]);
  const moved = { ...kim, phone: '01033334444' };
  const other = { name: 'Park', phone: null, licenseNumber: null };
  expect(notIn(row, [kim, moved, other, moved])).toEqual([moved, other]);
});

it('L60: rows that wait together have the persons of both; without any there is no field', () => {
  const none = { verdicts: [], entries: [] };
  expect(joinRows({ ...none, persons: [kim] }, { ...none, persons: [lee] }).persons).toEqual([kim, lee]);
  expect(joinRows(none, none)).not.toHaveProperty('persons');
});
