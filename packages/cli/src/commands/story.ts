export function runStory(): void {}
