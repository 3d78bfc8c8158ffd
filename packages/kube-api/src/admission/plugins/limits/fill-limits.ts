import { mergeRecords, type ResourceList } from '@nodewright/apis';
import { type ApiObject, changeMetadata } from '../../../storage/api-object.ts';
import type { AdmissionView, WriteAttributes } from '../../attributes.ts';
import { type LimitedContainer, type LimitedSpec, limitItemsIn, type ResourceAmounts } from './limit-range.ts';

const annotation = 'kubernetes.io/limit-ranger';

/** Gives the containers of a new pod the default requests and limits of the namespace, and says so in an annotation. */
export function fillContainerLimits({ object, namespace, operation }: WriteAttributes, view: AdmissionView): ApiObject {
  if (operation !== 'CREATE') return object;
  const items = limitItemsIn(view, namespace).filter(({ type }) => type === 'Container');
  if (items.length === 0) return object;
  const defaults = {
    limits: mergeRecords(items.map((item) => item.default).toReversed()),
    requests: mergeRecords(items.map((item) => item.defaultRequest).toReversed()),
  };
  const spec = (object['spec'] ?? {}) as LimitedSpec;
  const notes: string[] = [];
  const initContainers = spec.initContainers?.map((each) => filled(each, defaults, { notes, word: 'init container' }));
  const containers = spec.containers?.map((each) => filled(each, defaults, { notes, word: 'container' }));
  if (notes.length === 0) return object;
  const text = `LimitRanger plugin set: ${notes.join('; ')}`;
  const annotated = changeMetadata(object, { annotations: { ...object.metadata.annotations, [annotation]: text } });
  return {
    ...annotated,
    spec: { ...spec, ...(initContainers && { initContainers }), ...(containers && { containers }) },
  };
}

type FillNotes = { readonly notes: string[]; readonly word: string };

function filled<C extends LimitedContainer>(
  container: C,
  defaults: Required<ResourceAmounts>,
  { notes, word }: FillNotes,
): C {
  const { resources = {}, name = '' } = container;
  const requests = missingNames(resources.requests, defaults.requests);
  const limits = missingNames(resources.limits, defaults.limits);
  if (requests.length + limits.length === 0) return container;
  if (requests.length > 0) notes.push(`${requests.join(', ')} request for ${word} ${name}`);
  if (limits.length > 0) notes.push(`${limits.join(', ')} limit for ${word} ${name}`);
  return {
    ...container,
    resources: {
      ...resources,
      ...(limits.length > 0 && { limits: { ...defaults.limits, ...resources.limits } }),
      ...(requests.length > 0 && { requests: { ...defaults.requests, ...resources.requests } }),
    },
  };
}

const missingNames = (present: ResourceList = {}, defaults: ResourceList): readonly string[] =>
  Object.keys(defaults)
    .filter((name) => !Object.hasOwn(present, name))
    .toSorted();
