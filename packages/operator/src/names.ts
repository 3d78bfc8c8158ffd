/** Annotations that only Nodewright writes. */
export const launchAttemptAnnotation = 'nodewright.dev/launch-attempt';
/** After a launch that did not come about: when the next is tried; RFC 3339. */
export const launchNotBeforeAnnotation = 'nodewright.dev/launch-not-before';
/** On a claim: for which pods it was created; JSON. */
export const launchedForAnnotation = 'nodewright.dev/launched-for';
/** On a NodePool: for which pods it has launched nodes in vain, and when it tries again; JSON. */
export const futileLaunchesAnnotation = 'nodewright.dev/futile-launches';
/** On a NodePool: images whose machines do not become its nodes, and when the next is tried; JSON. */
export const joinFailuresAnnotation = 'nodewright.dev/join-failures';
/**
 * On a NodePool: that replacements of a rollout could not be launched, and when one more is tried; on a claim: that the pods of
 * its node would have no other place. JSON.
 */
export const replacementFailuresAnnotation = 'nodewright.dev/replacement-failures';
/** On a candidate: the disruption command it is part of. */
export const disruptionCommandAnnotation = 'nodewright.dev/disruption-command';
/** On a replacement: the id of the command it was created for. */
export const replacementForAnnotation = 'nodewright.dev/replacement-for';
/** On a claim: the NodeRollout for whose target it was made. */
export const rolloutAnnotation = 'nodewright.dev/rollout';
