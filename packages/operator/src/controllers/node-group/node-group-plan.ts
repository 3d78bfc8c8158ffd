import type { Instant, NodeGroup } from '@nodewright/apis';
import type { UpdateAction } from '@nodewright/nodegroups';
import type { GroupUpdateConfig, UpdateTarget } from '@nodewright/ports';
import type { EventReport } from '@nodewright/runtime';

export type NodeGroupAction =
  | {
      readonly kind: 'startUpdate';
      readonly target:
        | UpdateTarget
        /** The user's template with another image: a version of it is made first. */
        | { readonly kind: 'image'; readonly templateId: string; readonly version: string; readonly imageId: string };
      readonly force: boolean;
      readonly token: string;
      readonly because: string;
    }
  | { readonly kind: 'configure'; readonly config: GroupUpdateConfig; readonly token: string; readonly because: string }
  | {
      readonly kind: 'answerHook';
      readonly hook: string;
      readonly instanceId: string;
      readonly answer: 'continue' | 'heartbeat';
      readonly because: string;
    }
  | { readonly kind: 'step'; readonly step: UpdateAction; readonly because: string }
  /** Cluster Autoscaler leaves the node alone, or may end it again. */
  | { readonly kind: 'protect' | 'unprotect'; readonly node: string; readonly because: string };

/** The status is stored before anything is performed, so that a restart goes on from what was decided. */
export type NodeGroupPlan = {
  readonly after: NodeGroup;
  readonly actions: readonly NodeGroupAction[];
  readonly reports: readonly EventReport[];
  readonly recheckAt: Instant;
};
