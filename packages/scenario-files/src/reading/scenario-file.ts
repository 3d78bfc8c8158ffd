import type { KubernetesObject } from '@nodewright/apis';
import type { Fault, ImageRelease, NodeBehavior } from '@nodewright/aws-endpoints';
import type { PlacedCondition } from './field-reader.ts';
import type { FilePlace, SteppedZone } from './source-text.ts';

/** A file of kind Scenario, read and checked. */
export type ScenarioFile = {
  readonly name: string;
  readonly file: string;
  readonly about?: string;
  readonly cluster: ScenarioCluster;
  /** The zones that its steps name, where the file does not say which the cluster has. */
  readonly steppedZones: readonly SteppedZone[];
  /** Files, folders or `-`, as written: relative to the file. */
  readonly given: readonly GivenPath[];
  /** How many seeds it is played with. */
  readonly seeds: number;
  readonly steps: readonly ScenarioFileStep[];
  readonly always: readonly AlwaysRule[];
  readonly never: readonly NeverRule[];
  /** The ends of a scenario that is played several times; one without a name where the file has no cases. */
  readonly cases: readonly ScenarioCase[];
};

export type GivenPath = { readonly path: string; readonly place: FilePlace };

export type ScenarioCluster = {
  /** A file of `nodewright snapshot`: the cluster is the one of the file, at its instant. */
  readonly snapshot?: GivenPath;
  readonly name?: string;
  /** Minor version. */
  readonly kubernetesVersion?: string;
  /** Whether the file says the region or the zones. */
  readonly isPlaced: boolean;
  readonly region: string;
  readonly zones: readonly string[];
  readonly catalogue?: 'small' | 'current';
  /** Milliseconds. */
  readonly startTime?: number;
  /** Whether releases of the public history come out while the scenario runs, or only those of its steps. */
  readonly releases: 'still' | 'history';
  readonly featureGates: ReadonlyMap<FeatureGateName, boolean>;
  /** Managed node groups that are there from the start. */
  readonly nodeGroups?: readonly ScenarioNodeGroup[];
  /** What EKS does with new nodes when the update of such a group fails [leave]. */
  readonly onUpdateFailure?: 'leave' | 'revert';
};

export type ScenarioNodeGroup = {
  readonly name: string;
  readonly nodes: number;
  readonly strategy: 'DEFAULT' | 'MINIMAL';
  readonly instanceType: string;
  /** Of its nodes. */
  readonly labels: Readonly<Record<string, string>>;
};

export const featureGateNames = [
  'CapacityBuffer',
  'NodeOverlay',
  'NodeRepair',
  'ReservedCapacity',
  'SpotToSpotConsolidation',
  'StaticCapacity',
] as const;

export type FeatureGateName = (typeof featureGateNames)[number];

/** What one play of the scenario has beside the rest. */
export type ScenarioCase = {
  readonly name: string;
  readonly given: readonly GivenPath[];
  readonly steps: readonly ScenarioFileStep[];
  readonly always: readonly AlwaysRule[];
  readonly never: readonly NeverRule[];
};

/** Holds after every change of the world. */
export type AlwaysRule = { readonly condition: PlacedCondition; readonly because?: string };

/** Never comes true, or not for so long. */
export type NeverRule = {
  readonly text: string;
  readonly place: FilePlace;
  readonly condition: PlacedCondition;
  /** Whether it is about each pod without a place alone. */
  readonly isPerPod: boolean;
  readonly forMs: number;
};

/** How nodes of a release behave: some of them, and after a while. */
export type ReleaseBehavior = {
  readonly behavior: NodeBehavior;
  /** After the launch of an instance; undefined for the timing of the behaviour itself. */
  readonly afterMs?: number;
  /** From above 0 to 1. */
  readonly share: number;
  /** Labels of the pods that it concerns; for `containersFail`. */
  readonly pods?: Readonly<Record<string, string>>;
  /** The images of the release that it concerns [all]. */
  readonly variant?: ImageRelease['variant'];
  readonly arch?: ImageRelease['arch'];
};

export type NodeChoice = {
  /** How many; all that fit without it. */
  readonly count?: number;
  /** `node` is the node. */
  readonly name?: string;
  readonly pool?: string;
  readonly zone?: string;
  readonly release?: string;
};

export type ScenarioAction =
  | {
      readonly do: 'waitUntil';
      readonly condition: PlacedCondition;
      readonly withinMs: number;
      readonly because?: string;
    }
  | { readonly do: 'expect'; readonly condition: PlacedCondition; readonly because?: string }
  | { readonly do: 'advance'; readonly ms: number }
  | {
      readonly do: 'release';
      readonly build: Readonly<Record<string, string>>;
      readonly behaviors: readonly ReleaseBehavior[];
    }
  | { readonly do: 'withdraw' | 'deprecate'; readonly which: Readonly<Record<string, unknown>> }
  | { readonly do: 'fault'; readonly fault: Fault; readonly forMs?: number; readonly nodes?: NodeChoice }
  | { readonly do: 'clear' }
  | { readonly do: 'upgrade'; readonly controlPlane: string }
  | { readonly do: 'updateGroup'; readonly group: string; readonly release?: string }
  | { readonly do: 'kill'; readonly downMs: number }
  | {
      readonly do: 'scale';
      readonly kind: 'Deployment' | 'StatefulSet';
      readonly key: ObjectName;
      readonly replicas: number;
    }
  | { readonly do: 'interrupt'; readonly nodes: NodeChoice }
  | { readonly do: 'terminate'; readonly nodes: NodeChoice }
  | { readonly do: 'apply'; readonly paths: readonly GivenPath[]; readonly objects: readonly KubernetesObject[] }
  | { readonly do: 'delete'; readonly target: DeleteTarget }
  | { readonly do: 'patch'; readonly target: PatchTarget; readonly merge: object }
  | { readonly do: 'cordon' | 'uncordon'; readonly nodes: NodeChoice };

export type ObjectName = { readonly namespace: string; readonly name: string };

export type ObjectTarget = {
  readonly kind: string;
  readonly apiVersion?: string;
  readonly name: string;
  readonly namespace?: string;
};

/** One object by its name, or objects with labels: so many of them, which chance chooses, or all. */
export type DeleteTarget =
  | ObjectTarget
  | (Omit<ObjectTarget, 'name'> & {
      readonly labels: Readonly<Record<string, string>>;
      readonly count?: number;
    });

/** One object, or all of a kind: those of one namespace, where it is named. */
export type PatchTarget = Omit<ObjectTarget, 'name'> & { readonly name?: string };

export type ScenarioFileStep = { readonly place: FilePlace; readonly text: string } & ScenarioAction;
