import type { cars, companies, productCars, products } from '../store/schema.js';

/** A fleet to begin with: rows as they go into the database. The same name gives the same rows, ids included. */
export interface Fleet {
  companies: (typeof companies.$inferInsert)[];
  cars: (typeof cars.$inferInsert)[];
  products: (typeof products.$inferInsert)[];
  productCars: (typeof productCars.$inferInsert)[];
}
