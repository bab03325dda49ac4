import { Skeleton } from '../page/Page.tsx'

/** The shape of a chart that is loading: summary, lines of the grid and legend, as high as the chart. */
export const ChartSkeleton = () => (
  <div aria-hidden className="flex h-80 flex-col gap-4">
    <div className="text-13">
      <Skeleton width="long" />
    </div>
    <div className="flex min-h-0 grow flex-col justify-between">
      {[1, 2, 3, 4, 5].map((line) => (
        <span key={line} className="block border-t border-line" />
      ))}
    </div>
    <div className="flex gap-4 pb-8 text-12">
      <Skeleton width="short" />
      <Skeleton width="short" />
      <Skeleton width="short" />
    </div>
  </div>
)
