import { z } from 'zod';
import { anyText, calendarDate, id, integer, text, yesNo } from '../../../platform/profiles/codecs/values.js';
import { deleteCar, editCar, registerCar } from '../../actions/web-cars.js';
import type { Sandbox } from '../../context.js';
import { Refusal } from '../../core/refusal.js';
import { findCars } from '../../store/fleet.js';
import { byId, iso } from './moment.js';
import type { ControlScope } from './scope.js';

const carOption = z.strictObject({
  optionKey1: text,
  optionNm1: text,
  optionKey2: text,
  optionNm2: text,
  optionKey3: text,
  optionNm3: text,
  optionValue: yesNo,
});

const count = integer.min(0);

/** Everything that the web site's form has beside company and car number (specification, Car). */
const form = {
  carTypeFuelCd: integer.exactOptional(),
  fuelTypeName: text.exactOptional(),
  gradeCd: integer.exactOptional(),
  gradeName: text.exactOptional(),
  carTypeName: text.exactOptional(),
  modelYear: integer.min(1900).max(2200).exactOptional(),
  detailModelName: text.exactOptional(),
  displacement: count.exactOptional(),
  seatCount: count.min(1).exactOptional(),
  vin: text.exactOptional(),
  colour: text.exactOptional(),
  registrationDate: calendarDate.exactOptional(),
  modifierName: text.exactOptional(),
  simNumber: anyText.exactOptional(),
  registrationFile: z.strictObject({ fileId: id, fileName: text }).exactOptional(),
  carOptionList: z.array(carOption).max(200).exactOptional(),
  deviceEquipYn: yesNo.exactOptional(),
};
const registration = z.strictObject({ businessLicenseId: id, carNumber: text, ...form });
const edit = z.strictObject({ carNumber: text.exactOptional(), ...form });

/** Cars, as the web site manages them: no API of the platform does (specification, Car operations). */
export function registerCars(scope: ControlScope, sandbox: Sandbox): void {
  scope.post('/cars', { schema: { body: registration } }, async ({ body }) =>
    readView(await registerCar(sandbox, body)),
  );
  scope.put('/cars/:id', { schema: { params: byId, body: edit } }, async ({ params, body }) => {
    await editCar(sandbox, params.id, body);
    return readView(params.id);
  });
  scope.delete(
    '/cars/:id',
    { config: { success: 204 }, schema: { params: byId } },
    async ({ params }, reply) => {
      await deleteCar(sandbox, params.id);
      return reply.code(204).send();
    },
  );

  async function readView(carId: number) {
    const [car] = await findCars(sandbox.db, undefined, { carId }, { after: 0, limit: 1 });
    if (!car) throw new Refusal('NOT_FOUND', `there is no car ${carId}`);
    return { ...car, modifiedAt: iso(car.modifiedAt) };
  }
}
