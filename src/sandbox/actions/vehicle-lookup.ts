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
 * Replaces the external vehicle-information service of the web site (specification, Car operations): returns car type
 * data for a car number, always the same for one number.
 */
export function lookUpVehicle(carNumber: string): Model {
  const sum = [...carNumber].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return catalogue[sum % catalogue.length] ?? avante;
}

/** The catalogue's entry for a detail model; undefined for one that a person made up. */
export const modelNamed = (detailModelName: string): Model | undefined =>
  catalogue.find((model) => model.detailModelName === detailModelName);
