import type { PersistentVolume, StorageClass } from '@nodewright/apis';

/** Serves nodes of EKS Auto Mode alone: a volume of it never comes to a node of ours. */
const autoModeDriver = 'ebs.csi.eks.amazonaws.com';

/** Only nodes of EKS Auto Mode carry it. */
const autoModeLabel = 'eks.amazonaws.com/compute-type';

export const isOfAutoMode = (volume: PersistentVolume): boolean => volume.spec?.csi?.driver === autoModeDriver;

/** Whether volumes of the class are made for EKS Auto Mode, by their driver or where they may be. */
export const isForAutoMode = ({ provisioner, allowedTopologies = [] }: StorageClass): boolean =>
  provisioner === autoModeDriver ||
  allowedTopologies.some(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.some(({ key }) => key === autoModeLabel),
  );
