/**
 * The place of a value: causes name `field`, messages name `path`. They differ for a status, which is checked by
 * itself. An empty path is the root, whose causes name `<nil>` or the status.
 */
export type ValuePlace = { readonly field: string; readonly path: string; readonly root: string };

export const rootPlace: ValuePlace = { field: '', path: '', root: '<nil>' };
export const statusPlace: ValuePlace = { field: 'status', path: '', root: 'status' };

const joinNames = (prefix: string, name: string): string => (prefix === '' ? name : `${prefix}.${name}`);

/** A place inside another one. The texts are built on demand, because most values have no problem. */
class InnerPlace implements ValuePlace {
  readonly root: string;
  readonly #around: ValuePlace;
  readonly #step: string | number;

  constructor(around: ValuePlace, step: string | number) {
    this.root = around.root;
    this.#around = around;
    this.#step = step;
  }

  get field(): string {
    return this.#after(this.#around.field);
  }

  get path(): string {
    return this.#after(this.#around.path);
  }

  #after(prefix: string): string {
    return typeof this.#step === 'number' ? `${prefix}[${this.#step}]` : joinNames(prefix, this.#step);
  }
}

export const memberPlace = (place: ValuePlace, name: string): ValuePlace => new InnerPlace(place, name);

export const itemPlace = (place: ValuePlace, index: number): ValuePlace => new InnerPlace(place, index);

/** The field name of a cause at this place. */
export const causeField = (place: ValuePlace): string => (place.path === '' ? place.root : place.field);
