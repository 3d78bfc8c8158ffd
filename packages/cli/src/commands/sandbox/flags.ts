import type { SchedulingFlags } from '../../controller/scheduling-settings.ts';
import type { Scenario } from '@nodewright/sandbox';
import type { FsyncPolicy } from '../../world/state/state-file.ts';

export type SandboxFlags = SchedulingFlags & {
  readonly clusterName?: string;
  readonly kubernetesVersion?: string;
  readonly region?: string;
  readonly zones?: readonly string[];
  readonly speed: number;
  readonly startTime?: number;
  readonly seed?: number;
  readonly dataDir?: string;
  readonly fsync?: FsyncPolicy;
  readonly kubernetesPort: number;
  readonly awsPort: number;
  readonly uiPort?: number;
  readonly uiForecast?: string;
  readonly allowedHosts?: readonly string[];
  readonly releases?: string;
  readonly scenario?: Scenario;
  readonly controller: boolean;
  /** `NAMESPACE/NAME`. */
  readonly operatorDeployment?: string;
  readonly kubeconfig?: string;
  readonly withWorkloadControllers: boolean;
  readonly onUpdateFailure?: 'leave' | 'revert';
  readonly nodeSkew?: 'strict' | 'kubernetes';
  readonly updateQuiet?: number;
  readonly iamPolicy?: string;
  readonly denyUnlisted?: boolean;
  readonly throttle?: 'none' | 'real';
  readonly catalogue?: 'small' | 'current';
  readonly readyFile?: string;
};
