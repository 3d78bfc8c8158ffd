/**
 * Where a value is: `field` is what causes name, `path` what messages name. They differ for a status, which is
 * judged by itself. An empty path is the root, whose causes name `<nil>` or the status.
 */
export type Place = { readonly field: string; readonly path: string; readonly root: string };

export const rootPlace: Place = { field: '', path: '', root: '<nil>' };
export const statusPlace: Place = { field: 'status', path: '', root: 'status' };

const join = (prefix: string, name: string): string => (prefix === '' ? name : `${prefix}.${name}`);

export const memberPlace = (place: Place, name: string): Place => ({
  field: join(place.field, name),
  path: join(place.path, name),
  root: place.root,
});

export const itemPlace = (place: Place, index: number): Place => ({
  field: `${place.field}[${index}]`,
  path: `${place.path}[${index}]`,
  root: place.root,
});

/** What a cause at this place names. */
export const fieldOf = (place: Place): string => (place.path === '' ? place.root : place.field);
