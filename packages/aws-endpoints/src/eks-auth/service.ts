import { restProtocol } from '../codec/rest-protocol.ts';
import { type AwsService, defineOperation } from '../service.ts';
import { assumeRoleForPodIdentity, type PodIdentityWorld } from './assume-role.ts';
import { AssumeRoleForPodIdentity$ } from './schemas.ts';

/** EKS Auth: the credentials of pods. */
export const eksAuthService = (world: PodIdentityWorld): AwsService => ({
  name: 'eks-auth',
  protocol: restProtocol(),
  commonErrors: {
    throttling: { code: 'ThrottlingException', status: 429 },
    accessDenied: { code: 'AccessDeniedException', status: 400 },
  },
  operations: [
    defineOperation(AssumeRoleForPodIdentity$, (request: { clusterName?: string; token?: string }) =>
      assumeRoleForPodIdentity(world, request),
    ),
  ],
});
