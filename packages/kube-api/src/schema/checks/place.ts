/**
 * Where a value is: `field` is what causes name, `path` what messages name. They differ for a status, which is
 * judged by itself. An empty path is the root, whose causes name `<nil>` or the status.
 */
export type Place = { readonly field: string; readonly path: string; readonly root: string };

export const rootPlace: Place = { field: '', path: '', root: '<nil>' };
export const statusPlace: Place = { field: 'status', path: '', root: 'status' };

const join = (prefix: string, name: string): string => (prefix === '' ? name : `${prefix}.${name}`);

/** A place inside of another one. Most values are fine, so that nobody asks where they are. */
class InnerPlace implements Place {
  readonly root: string;
  readonly #around: Place;
  readonly #step: string | number;

  constructor(around: Place, step: string | number) {
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
    return typeof this.#step === 'number' ? `${prefix}[${this.#step}]` : join(prefix, this.#step);
  }
}

export const memberPlace = (place: Place, name: string): Place => new InnerPlace(place, name);

export const itemPlace = (place: Place, index: number): Place => new InnerPlace(place, index);

/** What a cause at this place names. */
export const fieldOf = (place: Place): string => (place.path === '' ? place.root : place.field);
