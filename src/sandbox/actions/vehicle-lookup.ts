import {
  avante,
  camper,
  carnival,
  ioniq,
  type Model,
  morning,
  ray,
  sonata,
  sorento,
} from '../fleet/models.js';

const catalogue: readonly Model[] = [avante, carnival, ioniq, camper, morning, ray, sonata, sorento];

/**
 * Stands for the external vehicle-information service that the web site asks (specification, Car operations): car
 * type data for a car number, the same one for the same number.
 */
export function lookUpVehicle(carNumber: string): Model {
  const sum = [...carNumber].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return catalogue[sum % catalogue.length] ?? avante;
}

/** The catalogue's entry for a detail model; undefined for one that a person made up. */
export const modelNamed = (detailModelName: string): Model | undefined =>
  catalogue.find((model) => model.detailModelName === detailModelName);
