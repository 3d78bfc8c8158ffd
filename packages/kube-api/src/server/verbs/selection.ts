import { matchesAll } from '@nodewright/apis';
import { parseFieldSelectorQuery, selectsFields } from '../../selectors/field-selector.ts';
import { parseLabelSelectorQuery } from '../../selectors/label-selector.ts';
import { checkSelectable, fieldText } from '../../selectors/selectable-fields.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { ObjectCall, ResourceCall } from '../world.ts';

/** The objects of a collection that a request selects. */
export type ObjectSelection = {
  readonly selects: (object: ApiObject) => boolean;
  /** Whether it excludes any object of the namespace. */
  readonly isPartial: boolean;
  /** A field whose text all selected objects share. */
  readonly field?: SelectedField;
};

export type SelectedField = { readonly path: string; readonly value: string };

export const readSelection = (call: ResourceCall): ObjectSelection =>
  selectionOf(call, {
    labelSelector: call.info.query.get('labelSelector') ?? '',
    fieldSelector: call.info.query.get('fieldSelector') ?? '',
  });

/** Throws for selectors that cannot be parsed, before anything is made of them. */
export function refuseUnreadableSelectors({ info: { query } }: ResourceCall): void {
  parseLabelSelectorQuery(query.get('labelSelector') ?? '');
  parseFieldSelectorQuery(query.get('fieldSelector') ?? '');
}

export type SelectorTexts = {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
};

/** Parses both selectors of a request. They apply to objects in the requested version. */
export function selectionOf(
  { path, resource }: ObjectCall,
  { labelSelector = '', fieldSelector = '' }: SelectorTexts,
): ObjectSelection {
  const labels = parseLabelSelectorQuery(labelSelector);
  const fields = [
    ...parseFieldSelectorQuery(fieldSelector),
    ...(path.name === '' ? [] : [{ path: 'metadata.name', operator: '=' as const, value: path.name }]),
  ];
  const { custom, namespaced } = resource;
  const kind = { collection: selectableName(resource), namespaced };
  checkSelectable(fields, custom === undefined ? kind : { ...kind, custom: custom.selectableFields ?? [] });
  const matchesLabels = matchesAll(labels);
  const field = fields.find(({ operator }) => operator === '=');
  return {
    ...(field && { field }),
    isPartial: labels.length + fields.length > 0,
    selects: (object) =>
      matchesLabels(object.metadata.labels) && selectsFields(fields, (field) => fieldText(object, field)),
  };
}

/** The two groups of events have different selectable fields. */
const selectableName = ({ group, plural, collection }: ObjectCall['resource']): string =>
  plural === 'events' && group !== '' ? `events.${group}` : collection;
