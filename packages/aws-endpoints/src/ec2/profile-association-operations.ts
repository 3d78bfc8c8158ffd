import type {
  AssociateIamInstanceProfileRequest,
  DisassociateIamInstanceProfileRequest,
  IamInstanceProfileAssociation,
  IamInstanceProfileSpecification,
  ReplaceIamInstanceProfileAssociationRequest,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { missingParameter, noSuchInstanceProfile } from './errors.ts';
import { findDescribedInstance } from './instance-attributes.ts';
import type { Ec2Instance } from './instance.ts';
import { listProfileAssociations, noSuchAssociation } from './instance-profile-associations.ts';
import type { Ec2 } from './model.ts';

type AssociationResult = { readonly IamInstanceProfileAssociation: IamInstanceProfileAssociation };

export function associateInstanceProfile(ec2: Ec2, request: AssociateIamInstanceProfileRequest): AssociationResult {
  const instance = findDescribedInstance(ec2, request.InstanceId);
  const name = readProfileName(ec2, request.IamInstanceProfile);
  if (instance.state !== 'running' && instance.state !== 'stopped')
    throw new AwsError(
      'IncorrectInstanceState',
      `The instance '${instance.id}' is not in the 'running' or 'stopped' states.`,
    );
  if (associationOf(ec2, instance) !== undefined)
    throw new AwsError('IncorrectState', `There is an existing association for instance ${instance.id}`);
  return { IamInstanceProfileAssociation: writeMoving(setProfile(ec2, instance, name), 'associating') };
}

/** The instance has another profile at once, and no time without one. */
export function replaceInstanceProfile(
  ec2: Ec2,
  request: ReplaceIamInstanceProfileAssociationRequest,
): AssociationResult {
  const { instance } = findAssociation(ec2, request.AssociationId);
  const name = readProfileName(ec2, request.IamInstanceProfile);
  return { IamInstanceProfileAssociation: writeMoving(setProfile(ec2, instance, name), 'associating') };
}

export function disassociateInstanceProfile(
  ec2: Ec2,
  request: DisassociateIamInstanceProfileRequest,
): AssociationResult {
  const { instance, association } = findAssociation(ec2, request.AssociationId);
  setProfile(ec2, instance, undefined);
  return { IamInstanceProfileAssociation: writeMoving(association, 'disassociating') };
}

const associationOf = (ec2: Ec2, { id }: Ec2Instance): IamInstanceProfileAssociation | undefined =>
  listProfileAssociations(ec2).find(({ InstanceId }) => InstanceId === id);

function findAssociation(ec2: Ec2, id = '') {
  const association = listProfileAssociations(ec2).find(({ AssociationId }) => AssociationId === id);
  const instance = association && ec2.instances.get(association.InstanceId ?? '');
  if (association === undefined || instance === undefined) throw noSuchAssociation(id);
  return { association, instance };
}

function readProfileName({ profileArn }: Ec2, profile: IamInstanceProfileSpecification | undefined): string {
  const name = profile?.Name ?? profile?.Arn?.split('/').at(-1);
  if (name === undefined) throw missingParameter('IamInstanceProfile');
  if (profileArn(name) === undefined) throw noSuchInstanceProfile(name);
  return name;
}

/** @returns the association that there is then */
function setProfile(ec2: Ec2, instance: Ec2Instance, name: string | undefined): IamInstanceProfileAssociation {
  const number = (instance.changed?.profile?.number ?? 0) + 1;
  ec2.instances.change(instance.id, { profile: { number, ...(name !== undefined && { name }) } });
  return associationOf(ec2, instance) ?? {};
}

const writeMoving = (
  association: IamInstanceProfileAssociation,
  State: NonNullable<IamInstanceProfileAssociation['State']>,
): IamInstanceProfileAssociation => ({ ...association, State });
