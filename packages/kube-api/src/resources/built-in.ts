import { oncePerObject, readOwn } from '@nodewright/apis';
import { builtinSchema } from '../schema/definitions.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { autoscalerV2Of, autoscalerV1Of } from './autoscaler-forms.ts';
import { coreEventOf, newEventOf } from './event-forms.ts';
import type { Resource } from './resource.ts';
import { groupResource, groupVersion, type ServedKind, type ServedSubresource } from './served-kind.ts';
import { servedKinds } from './served.generated.ts';

/** The first minor version of Kubernetes that serves a kind. Kinds that are not listed are always served. */
const servedSince: Readonly<Record<string, number>> = {
  'flowcontrol.apiserver.k8s.io/v1/flowschemas': 29,
  'flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations': 29,
  'admissionregistration.k8s.io/v1/validatingadmissionpolicies': 30,
  'admissionregistration.k8s.io/v1/validatingadmissionpolicybindings': 30,
  'networking.k8s.io/v1/ipaddresses': 33,
  'networking.k8s.io/v1/servicecidrs': 33,
  'storage.k8s.io/v1/volumeattributesclasses': 34,
  'resource.k8s.io/v1/deviceclasses': 34,
  'resource.k8s.io/v1/resourceclaims': 34,
  'resource.k8s.io/v1/resourceclaimtemplates': 34,
  'resource.k8s.io/v1/resourceslices': 34,
  'admissionregistration.k8s.io/v1/mutatingadmissionpolicies': 36,
  'admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings': 36,
};

/** The first minor version that serves a subresource by default. */
const subresourceSince: Readonly<Record<string, number>> = { 'v1/pods/resize': 33 };

const isServedIn =
  (minor: number) =>
  (kind: ServedKind): boolean =>
    (readOwn(servedSince, `${groupVersion(kind)}/${kind.plural}`) ?? 0) <= minor;

/** The built-in kinds of Kubernetes `1.<minor>`, in the order of discovery. */
export const builtInResources = (minor: number): readonly Resource[] =>
  servedKinds.filter(isServedIn(minor)).map((kind) => ({ ...resourceOf(withSubresourcesOf(minor, kind)), minor }));

function withSubresourcesOf(minor: number, kind: ServedKind): ServedKind {
  const { subresources = [] } = kind;
  const isServed = ({ name }: ServedSubresource): boolean =>
    (readOwn(subresourceSince, `${groupVersion(kind)}/${kind.plural}/${name}`) ?? 0) <= minor;
  return subresources.every(isServed) ? kind : { ...kind, subresources: subresources.filter(isServed) };
}

const unchangedObject = (object: ApiObject): ApiObject => object;

function resourceOf(kind: ServedKind): Resource {
  return { ...kind, schema: builtinSchema(kind.group, kind.version, kind.kind), ...storedForm(kind) };
}

type StoredForm = Pick<Resource, 'collection' | 'stored' | 'fromStored' | 'toStored'>;

function storedForm(kind: ServedKind): StoredForm {
  const collection = groupResource(kind);
  switch (`${groupVersion(kind)}/${kind.plural}`) {
    case 'events.k8s.io/v1/events':
      return {
        collection: 'events',
        stored: { group: '', version: 'v1' },
        fromStored: newEventOf,
        toStored: coreEventOf,
      };
    case 'autoscaling/v1/horizontalpodautoscalers':
      return {
        collection,
        stored: { group: 'autoscaling', version: 'v2' },
        fromStored: oncePerObject(autoscalerV1Of),
        toStored: autoscalerV2Of,
      };
    default:
      return { collection, fromStored: unchangedObject, toStored: unchangedObject };
  }
}
