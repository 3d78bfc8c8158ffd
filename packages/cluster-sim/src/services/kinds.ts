import type { KubernetesObject, ResourceType, Service } from '@nodewright/apis';

export type ServicePort = {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly targetPort?: number | string;
};

export type SelectingService = Service & {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly ServicePort[];
    readonly publishNotReadyAddresses?: boolean;
  };
};

export type EndpointPort = { readonly name?: string; readonly port: number; readonly protocol: string };

type PodReference = {
  readonly kind: 'Pod';
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
};

export type EndpointAddress = {
  readonly ip: string;
  readonly nodeName?: string;
  readonly targetRef?: PodReference;
};

export type EndpointSubset = {
  readonly addresses?: readonly EndpointAddress[];
  readonly notReadyAddresses?: readonly EndpointAddress[];
  readonly ports?: readonly EndpointPort[];
};

export type Endpoints = KubernetesObject & { readonly subsets?: readonly EndpointSubset[] };

export type SliceEndpoint = {
  readonly addresses: readonly string[];
  readonly conditions: { readonly ready: boolean; readonly serving: boolean; readonly terminating: boolean };
  readonly nodeName?: string;
  readonly zone?: string;
  readonly targetRef?: PodReference;
};

export type ServiceSlice = KubernetesObject & {
  readonly addressType: 'IPv4';
  readonly endpoints: readonly SliceEndpoint[];
  readonly ports: readonly EndpointPort[];
};

export const endpoints: ResourceType<Endpoints> = {
  group: '',
  version: 'v1',
  plural: 'endpoints',
  kind: 'Endpoints',
  namespaced: true,
};

export const serviceSlices: ResourceType<ServiceSlice> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  plural: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
};
