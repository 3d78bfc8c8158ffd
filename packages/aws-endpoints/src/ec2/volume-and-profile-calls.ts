import {
  AssociateIamInstanceProfile$,
  AttachVolume$,
  CreateVolume$,
  DeleteVolume$,
  DescribeIamInstanceProfileAssociations$,
  DescribeVolumes$,
  DetachVolume$,
  DisassociateIamInstanceProfile$,
  ReplaceIamInstanceProfileAssociation$,
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
import { attachVolume, createVolume, deleteVolume, detachVolume } from './volume-operations.ts';

/** The calls about what instances have beside their launch: volumes and instance profiles. */
export function listVolumeAndProfileCalls(ec2: Ec2): readonly AwsOperation[] {
  const { read, write } = operationKinds(ec2);
  return [
    write(AssociateIamInstanceProfile$, associateInstanceProfile),
    write(AttachVolume$, attachVolume),
    write(CreateVolume$, createVolume),
    write(DeleteVolume$, deleteVolume),
    write(DescribeIamInstanceProfileAssociations$, describeProfileAssociations),
    read(DescribeVolumes$, describeVolumes),
    write(DetachVolume$, detachVolume),
    write(DisassociateIamInstanceProfile$, disassociateInstanceProfile),
    write(ReplaceIamInstanceProfileAssociation$, replaceInstanceProfile),
  ];
}
