import type { Pod } from '@nodewright/apis';
import type { ControllerPlan } from '../control-plane/planned-controller.ts';
import { canonicalText } from '../objects/template-hash.ts';
import { backendsOf } from './backends.ts';
import type {
  EndpointPort,
  Endpoints,
  ServiceSlice,
  EndpointSubset,
  SelectingService,
  SliceEndpoint,
} from './kinds.ts';

export type ServiceSnapshot = {
  readonly service: SelectingService;
  readonly pods: readonly Pod[];
  readonly endpoints: Endpoints | undefined;
  /** Those of this controller, in the order of their names. */
  readonly slices: readonly ServiceSlice[];
  readonly zoneOf: (nodeName: string) => string | undefined;
};

export type SliceContent = { readonly ports: readonly EndpointPort[]; readonly endpoints: readonly SliceEndpoint[] };

export type ServiceAction =
  | { readonly kind: 'writeEndpoints'; readonly subsets: readonly EndpointSubset[] }
  | { readonly kind: 'createSlice'; readonly content: SliceContent }
  | { readonly kind: 'updateSlice'; readonly slice: ServiceSlice; readonly content: SliceContent }
  | { readonly kind: 'deleteSlice'; readonly slice: ServiceSlice };

const mostPerSlice = 100;

/** Endpoints and slices as the pods of a service make them. A service without pods has one empty slice. */
export function planEndpoints(snapshot: ServiceSnapshot): ControllerPlan<ServiceAction> {
  const { service, pods, endpoints, slices, zoneOf } = snapshot;
  const { groups, subsets } = backendsOf(service, pods, zoneOf);
  const contents = groups.flatMap(({ ports, endpoints: all }) =>
    divide(all).map((part) => ({ ports, endpoints: part })),
  );
  const wanted: readonly SliceContent[] = contents.length === 0 ? [{ ports: [], endpoints: [] }] : contents;
  const isWritten = endpoints !== undefined && canonicalText(endpoints.subsets ?? []) === canonicalText(subsets);
  return {
    actions: [
      ...(isWritten ? [] : [{ kind: 'writeEndpoints', subsets } as const]),
      ...wanted.flatMap((content, index) => sliceAction(slices[index], content)),
      ...slices.slice(wanted.length).map((slice) => ({ kind: 'deleteSlice', slice }) as const),
    ],
  };
}

function sliceAction(slice: ServiceSlice | undefined, content: SliceContent): readonly ServiceAction[] {
  if (slice === undefined) return [{ kind: 'createSlice', content }];
  const found: SliceContent = { ports: slice.ports ?? [], endpoints: slice.endpoints ?? [] };
  return canonicalText(found) === canonicalText(content) ? [] : [{ kind: 'updateSlice', slice, content }];
}

const divide = (endpoints: readonly SliceEndpoint[]): readonly (readonly SliceEndpoint[])[] =>
  Array.from({ length: Math.ceil(endpoints.length / mostPerSlice) }, (_, index) =>
    endpoints.slice(index * mostPerSlice, (index + 1) * mostPerSlice),
  );
