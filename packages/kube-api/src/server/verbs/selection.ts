import { matchesAll } from '@nodewright/apis';
import { parseFieldSelectorQuery, selectsFields } from '../../selectors/field-selector.ts';
import { parseLabelSelectorQuery } from '../../selectors/label-selector.ts';
import { checkSelectable, fieldText } from '../../selectors/selectable-fields.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { ResourceCall } from '../world.ts';

/** Which objects of a collection a request is about. */
export type ObjectSelection = {
  readonly selects: (object: ApiObject) => boolean;
  /** Whether it leaves anything out besides other namespaces. */
  readonly isPartial: boolean;
};

/** Reads both selectors of a request; objects are judged in the version that was asked for. */
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

/** Events can be selected by other names in each of their two groups. */
const selectableName = ({ group, plural, collection }: ResourceCall['resource']): string =>
  plural === 'events' && group !== '' ? `events.${group}` : collection;
