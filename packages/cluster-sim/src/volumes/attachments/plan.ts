import type { VolumeAttachment } from '@nodewright/apis';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';

/** The attachments of one node. */
export type AttachmentSnapshot = {
  readonly existing: readonly VolumeAttachment[];
  /** One for each volume that a pod on the node uses; none when the node is gone. */
  readonly wanted: readonly VolumeAttachment[];
};

export type AttachmentAction = {
  readonly kind: 'delete' | 'create' | 'markAttached';
  readonly attachment: VolumeAttachment;
};

/** Detaches volumes that no pod on the node uses, then creates and reports the attachments that are missing. */
export function plan({ existing, wanted }: AttachmentSnapshot): ControllerPlan<AttachmentAction> {
  const byName = new Map(existing.map((attachment) => [attachment.metadata.name, attachment]));
  const missing = new Map(wanted.map((attachment) => [attachment.metadata.name, attachment]));
  const unused = existing.filter(({ metadata }) => !missing.has(metadata.name));
  return {
    actions: [
      ...unused.map((attachment) => ({ kind: 'delete', attachment }) as const),
      ...[...missing.values()].flatMap((attachment) => attachVolume(attachment, byName.get(attachment.metadata.name))),
    ],
  };
}

function attachVolume(attachment: VolumeAttachment, before: VolumeAttachment | undefined): readonly AttachmentAction[] {
  if (before?.status?.attached === true) return [];
  const mark = { kind: 'markAttached', attachment } as const;
  return before === undefined ? [{ kind: 'create', attachment }, mark] : [mark];
}
