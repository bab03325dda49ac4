/** Stands for text that is on its way, as high as its line, so that nothing moves when it comes. */
export function Skeleton({ width }: { width: 'short' | 'long' }) {
  return (
    <span
      aria-hidden
      className={`inline-block h-[0.75em] max-w-full rounded-control bg-line align-baseline motion-safe:animate-pulse ${width === 'short' ? 'w-16' : 'w-32'}`}
    />
  )
}
