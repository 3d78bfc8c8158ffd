import type { Account } from '../account.ts';
import type { Network } from '../ec2/network.ts';
import type { ControlPlane } from './control-plane.ts';
import type { NodeGroups } from './nodegroups/node-groups.ts';

/** The one cluster of the account. */
export type Eks = {
  readonly account: Account;
  readonly clusterName: string;
  readonly controlPlane: ControlPlane;
  readonly network: Network;
  readonly nodeGroups: NodeGroups;
  /** `https://127.0.0.1:6443`; asked for when a client asks, because the port is known late. */
  readonly endpoint: () => string;
  /** The CA's certificate in PEM. */
  readonly certificateAuthority: () => string;
};
