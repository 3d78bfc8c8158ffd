import { matchesAll } from '@nodewright/apis';
import { parseFieldSelectorQuery, selectsFields } from '../../selectors/field-selector.ts';
import { parseLabelSelectorQuery } from '../../selectors/label-selector.ts';
import { checkSelectable, fieldText } from '../../selectors/selectable-fields.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { ResourceCall } from '../world.ts';

/** The objects of a collection that a request selects. */
export type ObjectSelection = {
  readonly selects: (object: ApiObject) => boolean;
  /** Whether it excludes any object of the namespace. */
  readonly isPartial: boolean;
};

/** Parses both selectors of a request. They apply to objects in the requested version. */
export function readSelection({ info, path, resource }: ResourceCall): ObjectSelection {
  const labels = parseLabelSelectorQuery(info.query.get('labelSelector') ?? '');
  const fields = [
    ...parseFieldSelectorQuery(info.query.get('fieldSelector') ?? ''),
    ...(path.name === '' ? [] : [{ path: 'metadata.name', operator: '=' as const, value: path.name }]),
  ];
  checkSelectable(fields, selectableName(resource), resource.custom?.selectableFields);
  const matchesLabels = matchesAll(labels);
  return {
    isPartial: labels.length + fields.length > 0,
    selects: (object) =>
      matchesLabels(object.metadata.labels) && selectsFields(fields, (field) => fieldText(object, field)),
  };
}

/** The two groups of events have different selectable fields. */
const selectableName = ({ group, plural, collection }: ResourceCall['resource']): string =>
  plural === 'events' && group !== '' ? `events.${group}` : collection;
