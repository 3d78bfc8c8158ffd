import {
  AssociateIamInstanceProfile$,
  AttachVolume$,
  CancelSpotInstanceRequests$,
  CreateVolume$,
  DeleteVolume$,
  DescribeIamInstanceProfileAssociations$,
  DescribeVolumes$,
  DetachVolume$,
  DisassociateIamInstanceProfile$,
  ReplaceIamInstanceProfileAssociation$,
  RequestSpotInstances$,
} from '@aws-sdk/client-ec2';
import type { AwsOperation } from '../service.ts';
import { describeVolumes } from './describe-volumes.ts';
import { describeProfileAssociations } from './instance-profile-associations.ts';
import type { Ec2 } from './model.ts';
import { operationKinds } from './operation-kinds.ts';
import {
  associateInstanceProfile,
  disassociateInstanceProfile,
  replaceInstanceProfile,
} from './profile-association-operations.ts';
import { cancelSpotRequests, requestSpotInstances } from './spot-request-operations.ts';
import { attachVolume, createVolume, deleteVolume, detachVolume } from './volume-operations.ts';

/** The calls about volumes, instance profiles of instances, and requests for spot instances. */
export function listVolumeAndProfileCalls(ec2: Ec2): readonly AwsOperation[] {
  const { read, write } = operationKinds(ec2);
  return [
    write(AssociateIamInstanceProfile$, associateInstanceProfile),
    write(AttachVolume$, attachVolume),
    write(CancelSpotInstanceRequests$, cancelSpotRequests),
    write(CreateVolume$, createVolume),
    write(DeleteVolume$, deleteVolume),
    write(DescribeIamInstanceProfileAssociations$, describeProfileAssociations),
    read(DescribeVolumes$, describeVolumes),
    write(DetachVolume$, detachVolume),
    write(DisassociateIamInstanceProfile$, disassociateInstanceProfile),
    write(ReplaceIamInstanceProfileAssociation$, replaceInstanceProfile),
    write(RequestSpotInstances$, requestSpotInstances),
  ];
}
