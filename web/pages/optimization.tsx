import { optimization } from '../../core/content/optimization.ts';
import { LatencyPercentiles } from '../components/artefacts/latency-percentiles.tsx';
import { ServiceDetailPage } from '../features/services/service-detail-page.tsx';

export function OptimizationPage() {
  return <ServiceDetailPage slug="optimization" detail={optimization} artefact={<LatencyPercentiles />} />;
}
