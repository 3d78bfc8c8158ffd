import type { KubernetesObject, LabelSelectorRequirement } from './meta.ts';

/** Chooses devices by a CEL expression. */
export type DeviceSelector = { readonly cel?: { readonly expression: string } };

/** What is asked of the devices of one request. */
export type ExactDeviceRequest = {
  readonly deviceClassName: string;
  readonly selectors?: readonly DeviceSelector[];
  readonly allocationMode?: string;
  readonly count?: number;
};

export type DeviceRequest = {
  readonly name: string;
  readonly exactly?: ExactDeviceRequest;
  readonly firstAvailable?: readonly (ExactDeviceRequest & { readonly name: string })[];
};

export type DeviceConstraint = { readonly requests?: readonly string[]; readonly matchAttribute?: string };

export type ResourceClaimSpec = {
  readonly devices?: {
    readonly requests?: readonly DeviceRequest[];
    readonly constraints?: readonly DeviceConstraint[];
  };
};

export type AllocatedDevice = {
  readonly request: string;
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
};

type DeviceNodeSelector = {
  readonly nodeSelectorTerms: readonly {
    readonly matchExpressions?: readonly LabelSelectorRequirement[];
    readonly matchFields?: readonly LabelSelectorRequirement[];
  }[];
};

export type DeviceAllocation = {
  readonly devices?: { readonly results?: readonly AllocatedDevice[] };
  readonly nodeSelector?: DeviceNodeSelector;
};

export type ClaimConsumer = {
  readonly apiGroup?: string;
  readonly resource: string;
  readonly name: string;
  readonly uid: string;
};

export type ResourceClaim = KubernetesObject & {
  readonly spec: ResourceClaimSpec;
  readonly status?: { readonly allocation?: DeviceAllocation; readonly reservedFor?: readonly ClaimConsumer[] };
};

export type ResourceClaimTemplate = KubernetesObject & {
  readonly spec: {
    readonly metadata?: { readonly labels?: object; readonly annotations?: Readonly<Record<string, string>> };
    readonly spec: ResourceClaimSpec;
  };
};

export type DeviceClass = KubernetesObject & { readonly spec?: { readonly selectors?: readonly DeviceSelector[] } };

/** An attribute has one member, named after its type. */
export type DeviceAttribute = {
  readonly string?: string;
  readonly int?: number;
  readonly bool?: boolean;
  readonly version?: string;
};

export type Device = {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, DeviceAttribute>>;
  readonly capacity?: Readonly<Record<string, { readonly value: string }>>;
  readonly nodeName?: string;
  readonly allNodes?: boolean;
  readonly nodeSelector?: DeviceNodeSelector;
};

export type ResourceSlice = KubernetesObject & {
  readonly spec: {
    readonly driver: string;
    readonly pool: { readonly name: string };
    readonly nodeName?: string;
    readonly allNodes?: boolean;
    readonly nodeSelector?: DeviceNodeSelector;
    readonly perDeviceNodeSelection?: boolean;
    readonly devices?: readonly Device[];
  };
};
