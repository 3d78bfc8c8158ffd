export type StoryFlags = {
  readonly exit: boolean;
  readonly output?: 'json';
  readonly speed: number;
  readonly seed: number;
  readonly story: 'upgrade' | 'rollout';
};
