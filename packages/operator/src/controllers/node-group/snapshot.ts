import type { Instant, Node, NodeGroup, VariantImage } from '@nodewright/apis';
import type { FirstSeen, FoundImage } from '@nodewright/engine';
import type { SeenPod } from '@nodewright/nodegroups';
import type { Neighbours } from './neighbours.ts';
import type { SeenQuota } from './quota.ts';
import type { ManagedGroup, ScalingGroup, SeenUpdate } from '@nodewright/ports';

/** What the group is to run, by the decision about images. */
export type WantedState =
  | {
      readonly kind: 'image';
      readonly image: FoundImage;
      /** Of EKS; absent where the group's template names the image. */
      readonly release?: string;
      /** Whether the term follows a pointer that may be moved back, rather than naming the image. */
      readonly isMoving: boolean;
      readonly validUntil?: Instant;
    }
  | { readonly kind: 'none'; readonly why: string; readonly validUntil?: Instant }
  /** The NodeGroup names no image: it is watched only. */
  | { readonly kind: 'unspoken' };

/** A pod that has to leave with its node, and what keeps it there. */
export type GroupPod = SeenPod & {
  /** A budget that rules its eviction out for good, or several budgets at once. */
  readonly heldForGood?: string;
  readonly toleratesEverything: boolean;
  /** Nothing makes it anew once it has left. */
  readonly isBare: boolean;
};

/** What a policy makes of the group. */
export type GroupRollout = {
  readonly isLetGo: boolean;
  readonly why: string;
  /** A rollout is under way that has not halted [false]. */
  readonly isLeading?: boolean;
  /** Where its nodes go one after the other. */
  readonly byNode?: NodesLetGo;
};

export type NodesLetGo = {
  /** Ids of the instances that may be replaced now. */
  readonly nodes: ReadonlySet<string>;
  /** The image of launches for other reasons; absent where nothing may be launched. */
  readonly launches?: string;
  /** An old node goes before its replacement comes. */
  readonly terminatesFirst: boolean;
};

/** What the group would run without a policy, and what became of the images that the policy names. */
export type GroupImages = {
  readonly variant?: string;
  readonly wanted: readonly VariantImage[];
  readonly gone: readonly string[];
  readonly withdrawn: readonly string[];
};

/** One node group and all that decides about it, at one moment. */
export type NodeGroupSnapshot = {
  readonly nodeGroup: NodeGroup;
  /** Of the control plane, `1.29`. */
  readonly kubernetesVersion: string;
  readonly managed?: ManagedGroup;
  readonly scaling?: ScalingGroup;
  /** Asked for only where nothing else keeps an update from beginning, and for plans. */
  readonly quotas?: readonly SeenQuota[];
  readonly wanted: WantedState;
  /** What is remembered of images that moving parameters name. */
  readonly firstSeen: FirstSeen;
  readonly nodes: readonly Node[];
  readonly pods: readonly GroupPod[];
  readonly neighbours: Neighbours;
  /** Whether the policy that governs the group has let it go, and why not. */
  readonly rollout?: GroupRollout;
  /** What is known of images beside the wanted one, for the policy. */
  readonly images?: GroupImages;
  /** What keeps an update from beginning: `DisruptionPause incident-7: INC-7`. */
  readonly pause?: string;
  /** Another NodeGroup about the same group, which was there first. */
  readonly keptBy?: string;
  /** The update that the status names, else the update under way, no matter who started it. */
  readonly update?: SeenUpdate;
  /** AWS describes no more what the update under way is made on: until then that may be an answer that lags. */
  readonly inDoubtUntil?: Instant;
};
